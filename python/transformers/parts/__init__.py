"""Parts that models of several kinds are made of: attention, norms, rotary positions, experts, losses. They know no model."""
