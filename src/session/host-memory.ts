/** What tensors on the CPU take: only to tell a program that put nothing on the GPU what it may have forgotten. */

export class HostMemory {
  bytes = 0;
  peakBytes = 0;
  /** Frame of the line that made the largest tensor, or -1. */
  largestFrame = -1;
  /** An option of the program that would have put them on the GPU. */
  deviceOption = "";
  /** Whether somebody asked how many GPUs there are. */
  countAsked = false;
  private largestBytes = 0;

  taken(bytes: number, frame: number): void {
    this.bytes += bytes;
    if (this.bytes > this.peakBytes) this.peakBytes = this.bytes;
    if (bytes > this.largestBytes) [this.largestBytes, this.largestFrame] = [bytes, frame];
  }

  freed(bytes: number): void {
    this.bytes -= bytes;
  }
}
