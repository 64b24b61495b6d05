// Runs the gate, with --deep the deep suite, or with --core suites of the core without any feature, and says what this machine leaves out. Plain JavaScript, so that a Node.js too
// old for TypeScript still gets a sentence. Further arguments go to vitest: npm test -- test/mcp
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 15)) {
  console.error(`The tests need Node.js 24.15 or newer, and this is ${process.versions.node}. Run npm ci and npm test.`)
  process.exit(1)
}

const { findChromium } = await import('./support/chromium.mjs')
const { makeScratch } = await import('./support/scratch.mjs')
const { findServerPrograms, startServer } = await import('./support/postgres-server.mjs')
const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))

const isDeep = process.argv.includes('--deep')
/** The product without features, for suites that need none. */
const isCore = process.argv.includes('--core')
const CORE_SUITES = ['test/events', 'test/people', 'test/pipeline', 'test/sales']
/** Without PostgreSQL, for a quick run. */
const onSqlite = process.argv.includes('--sqlite')
/** Further options, and the files or folders that were named. */
const named = process.argv.slice(2).filter((argument) => !['--deep', '--core', '--sqlite'].includes(argument))
const given = isCore && named.length === 0 ? CORE_SUITES : named
const seed = process.env.TEST_SEED ?? String(Date.now() % 2 ** 31)

/** What is to be undone at the end, however it comes. */
const undo = []
let runner
let stoppedBy = null
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    stoppedBy ??= signal
    runner?.kill('SIGTERM')
  })
}

try {
  const chromium = findChromium()
  console.log(`Chromium: ${chromium ?? 'ABSENT, so its tests are SKIPPED. Install it or set CHROMIUM.'}`)
  if (!existsSync('/usr/sbin/pgbouncer')) console.log('PgBouncer: ABSENT, so its tests are SKIPPED. Install it.')
  console.log(`Seed: ${seed}. To repeat this run: TEST_SEED=${seed} npm ${isDeep ? 'run test:deep' : 'test'} -- path`)
  process.env.TMPDIR = makeScratch(undo)
  const environment = await peers()
  if (stoppedBy === null) process.exitCode = await runTests(environment)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  console.log('0 passed, 1 failed')
  process.exitCode = 1
} finally {
  for (const step of undo.reverse()) await step()
}
if (stoppedBy !== null) process.exitCode = 128 + constants.signals[stoppedBy]

/** The environment of the tests, with a PostgreSQL of their own when there is one to start. */
async function peers() {
  if (onSqlite) {
    const { TEST_DATABASE_URL: _, ...environment } = process.env
    console.log('PostgreSQL: not for this run, so its tests are SKIPPED.')
    return environment
  }
  if (process.env.TEST_DATABASE_URL) {
    console.log('PostgreSQL: the server of TEST_DATABASE_URL.')
    return process.env
  }
  const programs = findServerPrograms()
  if (programs === null) {
    console.log('PostgreSQL: ABSENT, so its tests are SKIPPED. Install its server or set TEST_DATABASE_URL.')
    return process.env
  }
  const server = await startServer(programs, undo)
  console.log(`PostgreSQL: ${server.version}, started for these tests.`)
  return { ...process.env, TEST_DATABASE_URL: server.url }
}

/** Runs vitest and prints the totals of its own report. Returns the exit code. */
async function runTests(environment) {
  const report = join(process.env.TMPDIR, 'report.json')
  const args = [VITEST, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const settings = {
    // What the workers load of packages is compiled once.
    NODE_COMPILE_CACHE: fileURLToPath(new URL('../.cache/test-modules', import.meta.url)),
    TEST_SEED: seed,
    TEST_DEPTH: isDeep ? 'deep' : 'gate',
    TEST_FEATURES: isCore ? 'none' : 'all',
  }
  const env = { ...environment, ...settings }
  runner = spawn(process.execPath, [...args, ...given], { stdio: 'inherit', env })
  const code = await new Promise((resolve, reject) => runner.once('error', reject).once('close', resolve))
  const { passed, failed, skipped } = totals(report, code)
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  return failed > 0 || code !== 0 ? 1 : 0
}

/** Counts tests; a file that could not be loaded, a crash and a run without tests each count as a failure. */
function totals(report, code) {
  const result = readReport(report)
  if (result === null) return { passed: 0, failed: 1, skipped: 0 }
  const passed = result.numPassedTests
  const unloaded = result.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(isFailed),
  )
  const failed = result.numFailedTests + unloaded.length
  const silent = failed === 0 && (passed === 0 || code !== 0 || !result.success)
  return { passed, failed: silent ? 1 : failed, skipped: result.numPendingTests + result.numTodoTests }
}

function isFailed(test) {
  return test.status === 'failed'
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}
