"""The commands of the command line, a module each; they parse and print, nothing else."""
