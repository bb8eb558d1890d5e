"""The page in a real browser: Playwright and the system's Chromium."""
