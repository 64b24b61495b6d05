import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { findServerPrograms, startServer } from '../test/support/postgres-server.mjs'

const ALL = [
  'database',
  'log',
  'operations',
  'jobs',
  'sandbox',
  'agent',
  'agents',
  'http',
  'pages',
  'reports',
  'counting',
  'import',
  'search',
  'sales',
  'start',
  'neighbours',
  'replicas',
  'webhooks',
  'sizes',
  'soak',
  'peers',
]

/** Runs the named benchmarks, or all of them, each in a separate process that gets the numeric arguments. */
const given = process.argv.slice(2)
const numbers = given.filter((one) => /^\d+$/.test(one))
const named = given.filter((one) => !numbers.includes(one))
const undo: (() => unknown)[] = []
const programs = findServerPrograms()
if (programs !== null) process.env.TEST_DATABASE_URL ??= (await startServer(programs, undo)).url
for (const name of named.length > 0 ? named : ALL) {
  console.log(`\n${name}\n${'-'.repeat(name.length)}`)
  const file = fileURLToPath(new URL(`${name}.ts`, import.meta.url))
  const [status] = await once(spawn(process.execPath, [file, ...numbers], { stdio: 'inherit' }), 'close')
  if (status !== 0) process.exitCode = 1
}
for (const step of undo.reverse()) await step()
