"""DQN with a replay buffer and target net, REINFORCE, A2C and PPO with clipping and GAE; the environment is a stand-in."""
import random
from collections import deque, namedtuple
from itertools import count

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.distributions import Categorical, Normal

device = torch.device("cuda")
Transition = namedtuple("Transition", ("state", "action", "next_state", "reward"))
random.seed(0)


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


class Env:
    """Ends after seven steps."""

    def reset(self):
        self.t = 0
        return [0.0, 0.1, 0.2, 0.3]

    def step(self, action):
        self.t += 1
        return [0.1 * self.t, 0.0, 0.0, 0.0], 1.0, self.t >= 7, {}


class ReplayMemory:
    def __init__(self, capacity):
        self.memory = deque([], maxlen=capacity)

    def push(self, *args):
        self.memory.append(Transition(*args))

    def sample(self, batch_size):
        return random.sample(self.memory, batch_size)

    def __len__(self):
        return len(self.memory)


class DQN(nn.Module):
    def __init__(self, n_observations, n_actions):
        super().__init__()
        self.layer1 = nn.Linear(n_observations, 128)
        self.layer2 = nn.Linear(128, 128)
        self.layer3 = nn.Linear(128, n_actions)

    def forward(self, x):
        return self.layer3(F.relu(self.layer2(F.relu(self.layer1(x)))))


policy_net, target_net = DQN(4, 2).to(device), DQN(4, 2).to(device)
target_net.load_state_dict(policy_net.state_dict())
optimizer = optim.AdamW(policy_net.parameters(), lr=1e-4, amsgrad=True)
memory, env = ReplayMemory(100), Env()
mem("nets")


def select_action(state, step):
    if random.random() > 0.5:
        with torch.no_grad():
            return policy_net(state).max(1).indices.view(1, 1)
    return torch.tensor([[random.randrange(2)]], device=device, dtype=torch.long)


def optimize_model(batch_size=8, gamma=0.99):
    if len(memory) < batch_size:
        return
    batch = Transition(*zip(*memory.sample(batch_size)))
    non_final_mask = torch.tensor(tuple(map(lambda s: s is not None, batch.next_state)), device=device, dtype=torch.bool)
    non_final_next_states = torch.cat([s for s in batch.next_state if s is not None])
    state_batch, action_batch, reward_batch = torch.cat(batch.state), torch.cat(batch.action), torch.cat(batch.reward)
    state_action_values = policy_net(state_batch).gather(1, action_batch)
    next_state_values = torch.zeros(batch_size, device=device)
    with torch.no_grad():
        found = target_net(non_final_next_states).max(1).values
        next_state_values.masked_scatter_(non_final_mask, found)
    expected = (next_state_values * gamma) + reward_batch
    loss = nn.SmoothL1Loss()(state_action_values, expected.unsqueeze(1))
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_value_(policy_net.parameters(), 100)
    optimizer.step()


for episode in range(2):
    state = torch.tensor(env.reset(), dtype=torch.float32, device=device).unsqueeze(0)
    for t in count():
        action = select_action(state, t)
        observation, reward, done, _ = env.step(action.item())
        reward = torch.tensor([reward], device=device)
        next_state = None if done else torch.tensor(observation, dtype=torch.float32, device=device).unsqueeze(0)
        memory.push(state, action, next_state, reward)
        state = next_state
        optimize_model()
        sd, pd = target_net.state_dict(), policy_net.state_dict()
        for key in pd:
            sd[key] = pd[key] * 0.005 + sd[key] * (1 - 0.005)
        target_net.load_state_dict(sd)
        if done:
            break
    mem(f"episode {episode} {t}")


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh())
        self.pi, self.v = nn.Linear(64, 2), nn.Linear(64, 1)
        self.log_std = nn.Parameter(torch.zeros(1, 2))

    def forward(self, x):
        h = self.body(x)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


net = ActorCritic().to(device)
opt = optim.Adam(net.parameters(), lr=3e-4, eps=1e-5)
T, N, gamma, lam = 8, 4, 0.99, 0.95
obs = torch.zeros((T, N, 4)).to(device)
actions, logprobs, rewards, dones, values = (torch.zeros((T, N)).to(device) for _ in range(5))
next_obs, next_done = torch.zeros(N, 4).to(device), torch.zeros(N).to(device)
mem("storage")
for update in range(2):
    for step in range(T):
        obs[step], dones[step] = next_obs, next_done
        with torch.no_grad():
            dist, value = net(next_obs)
            action = dist.sample()
            values[step] = value.flatten()
        actions[step], logprobs[step] = action, dist.log_prob(action)
        rewards[step] = torch.tensor([1.0] * N).to(device).view(-1)
        next_obs, next_done = torch.rand(N, 4).to(device), torch.Tensor([0.0] * N).to(device)
    with torch.no_grad():
        next_value = net(next_obs)[1].reshape(1, -1)
        advantages = torch.zeros_like(rewards).to(device)
        lastgaelam = 0
        for t in reversed(range(T)):
            nonterminal = 1.0 - (next_done if t == T - 1 else dones[t + 1])
            nextvalues = next_value if t == T - 1 else values[t + 1]
            delta = rewards[t] + gamma * nextvalues * nonterminal - values[t]
            advantages[t] = lastgaelam = delta + gamma * lam * nonterminal * lastgaelam
        returns = advantages + values
    mem("rollout")
    b_obs, b_logprobs, b_actions = obs.reshape((-1, 4)), logprobs.reshape(-1), actions.reshape(-1)
    b_adv, b_ret, b_val = advantages.reshape(-1), returns.reshape(-1), values.reshape(-1)
    inds = list(range(T * N))
    for epoch in range(2):
        random.shuffle(inds)
        for start in range(0, T * N, 16):
            mb = inds[start : start + 16]
            dist, newvalue = net(b_obs[mb])
            newlogprob, entropy = dist.log_prob(b_actions.long()[mb]), dist.entropy()
            logratio = newlogprob - b_logprobs[mb]
            ratio = logratio.exp()
            with torch.no_grad():
                approx_kl = ((ratio - 1) - logratio).mean()
            adv = b_adv[mb]
            adv = (adv - adv.mean()) / (adv.std() + 1e-8)
            pg_loss = torch.max(-adv * ratio, -adv * torch.clamp(ratio, 0.8, 1.2)).mean()
            v_clipped = b_val[mb] + torch.clamp(newvalue - b_val[mb], -0.2, 0.2)
            v_loss = 0.5 * torch.max((newvalue - b_ret[mb]) ** 2, (v_clipped - b_ret[mb]) ** 2).mean()
            loss = pg_loss - 0.01 * entropy.mean() + v_loss * 0.5
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            opt.step()
    mem("ppo update")

saved_log_probs, rewards = [], []
state = torch.tensor(env.reset(), device=device)
for t in range(5):
    dist, v = net(state.unsqueeze(0))
    a = dist.sample()
    saved_log_probs.append(dist.log_prob(a))
    rewards.append(1.0)
R, returns = 0, deque()
for r in rewards[::-1]:
    R = r + 0.99 * R
    returns.appendleft(R)
returns = torch.tensor(returns)
returns = (returns - returns.mean()) / (returns.std() + 1e-8)
policy_loss = torch.cat([-lp * R for lp, R in zip(saved_log_probs, returns.to(device))]).sum()
mem("reinforce")
policy_loss.backward()
mean = torch.zeros(3, 2, device=device)
d = Normal(mean, net.log_std.exp().expand_as(mean))
a = d.rsample()
logp = d.log_prob(a).sum(-1) - torch.log(1 - torch.tanh(a).pow(2) + 1e-6).sum(-1)
mem("sac")
(d.entropy().sum() + logp.mean()).backward()
mem("end")
