"""One core for each kind of model (decoder, encoder, encoder-decoder, vision, sound), with its heads; a family says what differs."""
