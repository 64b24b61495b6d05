export interface Sample {
  minute: number
  value: number
}

/** How much a series rises a minute: the median of the slopes between all pairs (Theil and Sen), which single outliers do not move. */
export function slopeOf(samples: readonly Sample[]): number {
  const slopes: number[] = []
  for (const [at, one] of samples.entries())
    for (const other of samples.slice(at + 1)) slopes.push((other.value - one.value) / (other.minute - one.minute))
  slopes.sort((one, other) => one - other)
  return slopes[Math.floor(slopes.length / 2)] ?? 0
}

/** The least of each span of a series: of memory, what is left when the garbage is gone. */
export function leastOf(samples: readonly Sample[], spanMinutes: number): Sample[] {
  const spans = Map.groupBy(samples, ({ minute }) => Math.floor(minute / spanMinutes))
  return [...spans].map(([span, of]) => ({
    minute: (span + 0.5) * spanMinutes,
    value: Math.min(...of.map(({ value }) => value)),
  }))
}
