/** gym before and since 0.26: wrappers and vectors of environments give what the program takes apart. */

import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";

describe("gym", () => {
  it("gives observations and four values through wrappers and vectors, or pairs and five", async () => {
    const result = await vramscope.run({
      script: "p.py",
      source: `
import gym, numpy as np
class Mine(gym.Env):
    observation_space, action_space = gym.spaces.Box(-1, 1, (3,)), gym.spaces.Discrete(2)
    def reset(self): return np.zeros(3)
    def step(self, action): return np.ones(3), 1.0, True, {"was": action}
class Halved(gym.ObservationWrapper):
    def observation(self, seen): return seen / 2
class Counted(gym.Wrapper):
    count = 0
    def step(self, action):
        self.count += 1
        seen, reward, done, info = self.env.step(action)
        return seen, reward, done, info
    def reset(self, **settings): return self.env.reset(**settings)
def one(): return Counted(gym.wrappers.RecordEpisodeStatistics(Halved(gym.make("CartPole-v1"))))
env = one()
seen = env.reset()
seen, reward, done, info = env.step(1)
print(seen.shape, reward, done, info, env.count, isinstance(env.env, gym.wrappers.RecordEpisodeStatistics))
envs = gym.vector.SyncVectorEnv([one, one])
seen = envs.reset()
for _ in range(500): seen, reward, done, info = envs.step(np.array([0, 1]))
print(seen.shape, reward.tolist(), done.tolist(), [(sorted(one), one["episode"]["l"]) for one in info])
seen, info = envs.reset()
seen, reward, ended, cut, info = envs.step(np.array([0, 1]))
print(seen.shape, ended.tolist(), cut.tolist(), info)
mine = gym.vector.SyncVectorEnv([Mine, Mine])
print(mine.reset().shape)
seen, reward, done, info = mine.step(np.array([4, 5]))
print(seen[0].tolist(), done.tolist(), [one["was"] for one in info], info[0]["terminal_observation"].tolist())
`,
    });
    expect([result.errorText, result.stdout.trim().split("\n")]).toEqual([
      null,
      [
        "(4,) 1.0 False {} 1 True",
        "(2, 4) [1.0, 1.0] [True, True] [(['episode', 'terminal_observation'], 500), (['episode', 'terminal_observation'], 500)]",
        "(2, 4) [False, False] [False, False] {}",
        "(2, 3)",
        "[0.0, 0.0, 0.0] [True, True] [4, 5] [1.0, 1.0, 1.0]",
      ],
    ]);
  });
});

it("has the names of gym's former wrappers, and how long an episode may be", async () => {
  const result = await vramscope.run({
    script: "p.py",
    source: `
import gym, numpy as np
class Scaled(gym.ActionWrapper):
    def _action(self, action): return action * 2
    def _reverse_action(self, action): return action / 2
class Halved(gym.ObservationWrapper):
    def _observation(self, seen): return seen[:2]
env = Halved(Scaled(gym.make("Pendulum-v1")))
print(env.reset().shape, env.step(np.zeros(1))[0].shape, gym.make("CartPole-v1")._max_episode_steps)
print(env.spec.id, Halved.spec, env.reward_range, "Pong" in Halved(gym.make("PongNoFrameskip-v4")).spec.id)
class Former(gym.Wrapper):
    def reset(self, **settings): return self.env.reset(**settings)
    def step(self, action):
        seen, reward, done, info = self.env.step(action)
        return seen, reward, done, info
env = Halved(Former(gym.make("CartPole-v1")))
state = env.reset()
state, reward, done, info = env.step(0)
print(state.shape, done)
class Nothing(gym.ActionWrapper): pass
try: Nothing(gym.make("Pendulum-v1")).step(0)
except NotImplementedError: print("not implemented")
`,
  });
  expect([result.errorText, result.stdout.trim().split("\n")]).toEqual([
    null,
    ["(2,) (2,) 500", "Pendulum-v1 None (-inf, inf) True", "(2,) False", "not implemented"],
  ]);
});
