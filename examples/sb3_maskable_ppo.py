"""Learn solo Flip 7 with MaskablePPO of sb3-contrib: docs/how-to/stable-baselines.md.

pip install 'pitboss[sb3]'
python examples/sb3_maskable_ppo.py [steps]
"""

import sys

import gymnasium as gym
import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

import pitboss.envs  # noqa: F401  registers the environments


def make():
    """One environment: an episode is a round, paid by its points; `choices` tells the odds of the next card."""
    env = gym.make("pitboss/Flip7Solo-v1", observation="choices")
    return gym.wrappers.TransformReward(env, lambda points: points / 20)


def points_a_round(model, rounds=2000):
    """What a round brings, and how sure that is."""
    env, scores = make(), []
    observation, _ = env.reset(seed=99)
    while len(scores) < rounds:
        masks = env.get_wrapper_attr("action_masks")()
        action, _ = model.predict(observation, action_masks=masks, deterministic=True)
        observation, reward, terminated, truncated, _ = env.step(int(action))
        if terminated or truncated:
            scores.append(20 * reward)
            observation, _ = env.reset()
    return f"{np.mean(scores):.2f} ± {1.96 * np.std(scores) / np.sqrt(rounds):.2f} points a round"


def main(steps):
    envs = make_vec_env(make, n_envs=8, seed=1)
    settings = {"n_steps": 256, "batch_size": 512, "gamma": 1.0, "learning_rate": 1e-3, "seed": 1, "device": "cpu"}
    model = MaskablePPO("MlpPolicy", envs, policy_kwargs={"net_arch": [32, 32]}, **settings)
    print("before:", points_a_round(model))
    model.learn(steps)
    print("after: ", points_a_round(model))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60_000)
