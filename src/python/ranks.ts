/** The environment of one rank, as torchrun sets it (torch/distributed/elastic/agent/server/local_elastic_agent.py). */

export interface RankPlace {
  readonly rank: number;
  readonly worldSize: number;
  /** Processes, each with a GPU, on the rank's node. */
  readonly localWorldSize: number;
  readonly masterAddress?: string;
  readonly masterPort?: number;
  readonly runId?: string;
  readonly maxRestarts?: number;
  readonly role?: string;
}

export function rankEnvironment(place: RankPlace): Record<string, string> {
  const { rank, worldSize, localWorldSize, masterAddress = "localhost", masterPort = 29500 } = place;
  return {
    RANK: String(rank),
    LOCAL_RANK: String(rank % localWorldSize),
    WORLD_SIZE: String(worldSize),
    LOCAL_WORLD_SIZE: String(localWorldSize),
    GROUP_RANK: String(Math.floor(rank / localWorldSize)),
    GROUP_WORLD_SIZE: String(Math.ceil(worldSize / localWorldSize)),
    ROLE_RANK: String(rank),
    ROLE_WORLD_SIZE: String(worldSize),
    ROLE_NAME: place.role ?? "default",
    MASTER_ADDR: masterAddress,
    MASTER_PORT: String(masterPort),
    TORCHELASTIC_RESTART_COUNT: "0",
    TORCHELASTIC_MAX_RESTARTS: String(place.maxRestarts ?? 0),
    TORCHELASTIC_RUN_ID: place.runId ?? "none",
    TORCHELASTIC_USE_AGENT_STORE: "True",
    ...(localWorldSize > 1 ? { OMP_NUM_THREADS: "1" } : {}),
  };
}
