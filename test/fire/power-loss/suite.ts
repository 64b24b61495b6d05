import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Report, suiteOptions } from '../report.ts'
import { problemsOf } from './check.ts'
import { Random } from './random.ts'
import { prepare, type Recording, record } from './record.ts'

/**
 * Power that fails at any moment: a server is traced while it works, and what its disk may hold after a cut is rebuilt from the
 * trace and opened. See docs/guides/reliability.md.
 */
const options = suiteOptions({ seed: '1', cuts: '1200', recordings: '4', seconds: '15', keep: '' })
const [seed, cuts, recordings, seconds] = [options.seed, options.cuts, options.recordings, options.seconds].map(
  Number,
) as [number, number, number, number]
/** Cuts in which a careless server has to be caught at least once. */
const CARELESS_CUTS = 60
const SHOWN = 3

const base = options.keep || mkdtempSync(join(tmpdir(), 'shopwright-power-'))
const report = new Report()
try {
  mkdirSync(join(base, 'prepared'), { recursive: true })
  const prepared = join(base, 'prepared', 'data')
  const token = await prepare(prepared)
  for (let number = 0; number < recordings; number++) {
    const first = number === 0
    await report.check(
      first
        ? 'A first start, cut at any moment, goes on'
        : `Recording ${number} of sales, files and programs, cut at any moment, has everything that was acknowledged`,
      async () => {
        const wanted = { base: join(base, `recording-${number}`), seed: seed + number, seconds: first ? 3 : seconds }
        const recording = await record({ ...wanted, prepared: first ? null : prepared }, first ? null : token)
        show(recording)
        const broken = await cut(recording, {
          seed: seed + number,
          count: Math.ceil(cuts / recordings),
          place: wanted.base,
        })
        if (broken.length > 0) throw new Error(describe(broken))
        rmSync(wanted.base, { recursive: true, force: true })
      },
    )
  }
  for (const careless of ['synchronous-off', 'no-directory-sync'])
    await report.check(`A server that is made careless (${careless}) is caught`, async () => {
      const place = join(base, careless)
      const preload = fileURLToPath(new URL(`./careless/${careless}.mjs`, import.meta.url))
      const recording = await record({ base: place, seed, prepared, seconds: Math.min(seconds, 8), preload }, token)
      const broken = await cut(recording, { seed, count: CARELESS_CUTS, place })
      report.figure('cuts that lost something', `${broken.length} of ${CARELESS_CUTS}`)
      if (broken.length === 0) throw new Error('Nothing was found to be lost.')
      rmSync(place, { recursive: true, force: true })
    })
} finally {
  if (!options.keep) rmSync(base, { recursive: true, force: true })
}
report.end()

interface Broken {
  line: number
  seed: number
  problems: string[]
}

async function cut(
  recording: Recording,
  { seed, count, place }: { seed: number; count: number; place: string },
): Promise<Broken[]> {
  const random = new Random(seed)
  const syncs = recording.disk.syncLines().filter(Number.isFinite)
  const answers = recording.acknowledged.flat().map(({ line }) => line)
  const target = join(place, 'cut')
  const broken: Broken[] = []
  for (let number = 0; number < count; number++) {
    const near = random.pick([null, syncs, answers])
    const line = near?.length ? random.pick(near) + random.below(5) - 2 : random.below(recording.trace.lines)
    const own = random.below(2 ** 31)
    recording.disk.rebuild(line, new Random(own), target)
    const problems = await problemsOf(target, recording, line)
    if (problems.length > 0) broken.push({ line, seed: own, problems })
  }
  report.figure('cuts', count)
  return broken
}

function describe(broken: Broken[]): string {
  const shown = broken
    .slice(0, SHOWN)
    .map(({ line, seed, problems }) => `line ${line}, seed ${seed}:\n  ${problems.slice(0, 8).join('\n  ')}`)
  return [`${broken.length} cuts lost something.`, ...shown].join('\n')
}

function show({ trace, acknowledged, disk }: Recording): void {
  report.figure('system calls', trace.calls.length)
  report.figure('synchronizations', disk.syncLines().length / 2)
  report.figure('acknowledged answers', acknowledged.flat().length)
}
