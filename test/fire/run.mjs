// Runs the suites of this folder, all of them or those that are named; options go to each of them:
//   npm run test:fire -- power-loss soak --minutes 60
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FOLDER = new URL('./', import.meta.url)
const SUITES = readdirSync(FOLDER)
  .filter((name) => existsSync(new URL(`${name}/suite.ts`, FOLDER)))
  .sort()

const words = process.argv.slice(2)
const firstOption = words.findIndex((word) => word.startsWith('-'))
const named = firstOption < 0 ? words : words.slice(0, firstOption)
const options = firstOption < 0 ? [] : words.slice(firstOption)
const unknown = named.filter((name) => !SUITES.includes(name))
if (unknown.length > 0) {
  console.error(`There is no suite ${unknown.join(', ')}. The suites are ${SUITES.join(', ')}.`)
  process.exit(2)
}

let [passed, failed] = [0, 0]
for (const name of named.length > 0 ? named : SUITES) {
  console.log(`\n${name}\n${'='.repeat(name.length)}`)
  const began = performance.now()
  const result = await run(name)
  passed += result.passed
  failed += result.failed
  console.log(`${name} took ${Math.round((performance.now() - began) / 1000)} s.`)
}
console.log(`\n${passed} passed, ${failed} failed`)
if (failed > 0) process.exitCode = 1

/** Runs one suite as a process of its own. One that ends without its last line, or with an error, has failed. */
function run(name) {
  const file = fileURLToPath(new URL(`${name}/suite.ts`, FOLDER))
  const child = spawn(process.execPath, [file, ...options], { stdio: ['ignore', 'pipe', 'inherit'] })
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal))
  let end = ''
  child.stdout.on('data', (text) => {
    process.stdout.write(text)
    end = (end + text).slice(-200)
  })
  return new Promise((resolve) => {
    child.once('close', (code) => {
      const totals = /(\d+) passed, (\d+) failed\s*$/.exec(end)
      const result = { passed: Number(totals?.[1] ?? 0), failed: Number(totals?.[2] ?? 1) }
      if (code !== 0 && result.failed === 0) result.failed = 1
      resolve(result)
    })
  })
}
