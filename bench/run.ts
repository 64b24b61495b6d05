import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

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

/** Runs the benchmarks named as arguments, or all of them, each in a process of its own. */
const chosen = process.argv.length > 2 ? process.argv.slice(2) : ALL
for (const name of chosen) {
  console.log(`\n${name}\n${'-'.repeat(name.length)}`)
  const { status } = spawnSync(process.execPath, [fileURLToPath(new URL(`${name}.ts`, import.meta.url))], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exitCode = 1
}
