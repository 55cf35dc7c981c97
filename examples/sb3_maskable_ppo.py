"""Learn solo Flip 7 with MaskablePPO of sb3-contrib: docs/how-to/stable-baselines.md.

pip install 'pitboss[sb3]'
python examples/sb3_maskable_ppo.py [steps]
"""

import sys

import numpy as np
from sb3_contrib import MaskablePPO

from pitboss.envs.sb3 import make

ENVS = 64
SOLO = {"name": "pitboss/Flip7Solo-v1", "observation": "choices"}  # a round is an episode; `choices` tells the odds


def points_a_round(model, rounds=2000):
    """What a round brings, and how sure that is."""
    envs, scores = make(num_envs=200, seed=99, **SOLO), []
    observations = envs.reset()
    while len(scores) < rounds:
        actions, _ = model.predict(observations, action_masks=envs.action_masks(), deterministic=True)
        observations, rewards, done, _ = envs.step(actions)
        scores += rewards[done].tolist()
    return f"{np.mean(scores):.2f} ± {1.96 * np.std(scores) / np.sqrt(len(scores)):.2f} points a round"


def main(steps):
    envs = make(num_envs=ENVS, seed=1, **SOLO)
    settings = {"n_steps": 2048 // ENVS, "batch_size": 512, "gamma": 1.0, "learning_rate": 1e-3, "seed": 1}
    model = MaskablePPO("MlpPolicy", envs, device="cpu", policy_kwargs={"net_arch": [32, 32]}, **settings)
    print("before:", points_a_round(model))
    model.learn(steps)
    print("after: ", points_a_round(model))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60_000)
