export interface Row {
  name: string
  value: number
  unit: string
  note?: string
}

/** `share` is from 0 to 1. */
export function percentile(samples: number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(samples: number[]): number {
  return percentile(samples, 0.5)
}

/** Returns the milliseconds of each of `count` runs, which follow `warmUp` runs that are not measured. */
export async function times(count: number, warmUp: number, run: () => unknown): Promise<number[]> {
  const samples: number[] = []
  for (let index = -warmUp; index < count; index++) {
    const startedAt = performance.now()
    await run()
    if (index >= 0) samples.push(performance.now() - startedAt)
  }
  return samples
}

/** Returns the processor milliseconds of each run, over all threads of this process. Other processes hardly affect them. */
export async function processorTimes(count: number, warmUp: number, run: () => unknown): Promise<number[]> {
  const samples: number[] = []
  for (let index = -warmUp; index < count; index++) {
    const began = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(began)
    if (index >= 0) samples.push((user + system) / 1000)
  }
  return samples
}

export function printTable(title: string, rows: Row[]): void {
  const width = Math.max(...rows.map((row) => row.name.length))
  console.log(`\n${title}`)
  for (const { name, value, unit, note } of rows) {
    console.log(
      `  ${name.padEnd(width)}  ${value.toFixed(value < 10 ? 2 : 0).padStart(8)} ${unit.padEnd(4)} ${note ?? ''}`,
    )
  }
}
