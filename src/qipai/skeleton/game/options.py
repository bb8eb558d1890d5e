"""Skeleton: what may be chosen before the deal. The texts are in messages/."""

from qipai.core import Option

OPTIONS = (Option("first_seat", -1, low=-1, high=1, is_seat=True),)
