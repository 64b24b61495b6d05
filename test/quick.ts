// Runs the tests that a change most likely breaks, on SQLite, in about a minute: a smoke of each way into the service, and the files
// nearest to what changed since main. It bounds their number, and prints those it left out.
import { spawn, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'

/** Each way in once: REST, MCP, pages and a command, and who may import whom. They are always run. */
const SMOKE = [
  'test/architecture.test.ts',
  'test/api/product.test.ts',
  'test/mcp/execute.test.ts',
  'test/pages/storefront.test.ts',
  'test/process/token.test.ts',
]

/** Files of a run, the smoke among them: as many as two quiet cores finish in two minutes, also where they take as long as these may. */
const MOST_FILES = 20

/** Seconds of a worker that the files beyond the smoke may take together. */
const MOST_SECONDS = 130

/** A file takes about six seconds of a worker; in these folders more. What takes a minute or more is left to the gate. */
const USUAL_SECONDS = 6
const SECONDS: readonly (readonly [start: string, seconds: number])[] = [
  ['test/bounds/', Infinity],
  ['test/browser/', 20],
  ['test/documentation/', 20],
  ['test/fire/', Infinity],
  ['test/generated/', Infinity],
  ['test/golden.test.ts', Infinity],
  ['test/process/', 15],
  ['test/release/', Infinity],
  ['test/sales/x402', Infinity],
  ['test/sandbox/local-time', Infinity],
  ['test/sandbox/', 10],
  ['test/upgrade/', Infinity],
]

/** A word or an import that more test files have says nothing about a change. */
const MOST_SHARED = 60

/** Words of `src` that tests have another word for. */
const SAME: Readonly<Record<string, string>> = { cli: 'process', doc: 'documentation', prelude: 'sandbox' }

export interface TestFile {
  path: string
  /** The paths of the files that it imports itself. */
  imports: readonly string[]
}

export interface Selection {
  taken: string[]
  /** Files that have to do with the change as well, the nearest first. */
  leftOut: string[]
}

/**
 * Tests that changed come first, then those that share most with a change: a word of their paths, or a file that they import. What
 * few test files share counts more.
 */
export function select(changed: readonly string[], tests: readonly TestFile[]): Selection {
  const linksOfTests = new Map(tests.map((test) => [test.path, linksOf(test)]))
  const sharedBy = new Map<string, number>()
  for (const link of [...linksOfTests.values()].flatMap((links) => [...links]))
    sharedBy.set(link, (sharedBy.get(link) ?? 0) + 1)
  const given = new Set(changed.flatMap((path) => [...linksOf({ path, imports: [path] })]))
  const nearness = ({ path }: TestFile): number => {
    if (changed.includes(path)) return Infinity
    const counts = [...linksOfTests.get(path)!.intersection(given)].map((link) => sharedBy.get(link)!)
    return counts.filter((count) => count <= MOST_SHARED).reduce((sum, count) => sum + 1 / count, 0)
  }
  const near = tests
    .map((test) => ({ path: test.path, nearness: nearness(test) }))
    .filter((test) => test.nearness > 0 && !SMOKE.includes(test.path))
    .sort((one, other) => compare(other.nearness, one.nearness) || (one.path < other.path ? -1 : 1))
  return bounded(near.map(({ path }) => path))
}

function compare(one: number, other: number): number {
  return one === other ? 0 : one - other
}

function bounded(near: readonly string[]): Selection {
  const [taken, leftOut]: [string[], string[]] = [[...SMOKE], []]
  let seconds = 0
  for (const path of near) {
    const needed = SECONDS.find(([start]) => path.startsWith(start))?.[1] ?? USUAL_SECONDS
    const fits = taken.length < MOST_FILES && seconds + needed <= MOST_SECONDS
    if (fits) seconds += needed
    const list = fits ? taken : leftOut
    list.push(path)
  }
  return { taken, leftOut }
}

function linksOf({ path, imports }: TestFile): Set<string> {
  const words = path.replace(/(\.test)?\.\w+$/, '').split(/[^A-Za-z0-9]+/)
  const known = words.map((word) => word.toLowerCase().replace(/(?<!s)s$/, '')).map((word) => SAME[word] ?? word)
  return new Set([...known.filter((word) => !['', 'src', 'test', 'resource'].includes(word)), ...imports])
}

/** The tests of the repository, with the files that each imports. */
function readTests(): TestFile[] {
  return globSync('test/**/*.test.ts').map((path) => {
    const found = readFileSync(path, 'utf8').matchAll(/\bfrom '(\.[^']+)'/g)
    return { path, imports: [...found].map(([, target]) => join(dirname(path), target!)) }
  })
}

/** What is not on main yet, committed or not; on main, what was not pushed. */
function changedFiles(): string[] {
  const head = git('rev-parse', 'HEAD')
  const bases = ['main', 'origin/main']
    .map((branch) => git('merge-base', 'HEAD', branch))
    .filter((base) => base !== null)
  if (head === null || bases.length === 0)
    throw new Error('This needs a git repository with a branch that is called main.')
  const base = bases.find((commit) => commit !== head) ?? head
  const lists = [git('diff', '--name-only', base), git('ls-files', '--others', '--exclude-standard')]
  return lists.flatMap((list) => list?.split('\n').filter(Boolean) ?? [])
}

/** What git prints, or null where it fails. */
function git(...args: string[]): string | null {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

if (import.meta.main) {
  process.chdir(join(import.meta.dirname, '..'))
  const changed = changedFiles()
  const { taken, leftOut } = select(changed, readTests())
  console.log(`${changed.length} files changed since main. Running ${taken.length} test files on SQLite:`)
  for (const path of taken) console.log(`  ${path}`)
  if (leftOut.length > 0) console.log(`LEFT OUT, of what has to do with the change; npm test runs all of it:`)
  for (const path of leftOut) console.log(`  ${path}`)
  // Programs have a deadline of five seconds, which they miss where more workers than cores take turns, or others keep the machine busy.
  const calmly = [`--maxWorkers=${availableParallelism()}`, '--retry=1']
  const runner = spawn(process.execPath, ['test/run.mjs', '--sqlite', ...calmly, ...taken], { stdio: 'inherit' })
  runner.once('close', (code) => {
    process.exitCode = code ?? 1
  })
}
