"""Self-play training with PyTorch: PPO on `Batch`, on the CPU and on a GPU.

The page "Training" of the documentation describes runs, settings and opponents.
"""
