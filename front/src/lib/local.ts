// Whether an address leads to this machine alone, so that nobody else can open it.

export const isLocal = (host: string): boolean =>
  host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(\.\d+){3}$/.test(host);
