"""Self-play training with PyTorch: PPO on `Batch`, on the CPU and on a GPU (docs/training.md)."""
