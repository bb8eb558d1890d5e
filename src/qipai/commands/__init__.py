"""The commands of the command line, one module each; they only parse arguments and print."""
