import { chmod, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { command } from './command.ts'

/** What a shell finds as npm: it hands its words, its environment, its directory and its input over, and ends as the command did. */
const SHIM = (socketPath: string) => `#!${process.execPath}
const { request } = require('node:http')
const words = process.argv.slice(3).filter((word, at) => !(at === 0 && word === '-s'))
if (words[1] === '--') words.splice(1, 1)
const input = require('node:fs').readFileSync(0, 'utf8')
request({ socketPath: ${JSON.stringify(socketPath)}, method: 'POST' }, async (response) => {
  const { code, stdout, stderr } = JSON.parse(Buffer.concat(await response.toArray()))
  process.stdout.write(stdout)
  process.stderr.write(stderr)
  process.exitCode = code
}).end(JSON.stringify({ words, environment: process.env, directory: process.cwd(), input }))
`

/**
 * Puts an npm into a folder, whose `npm run` carries a command of the service out in this process: a shell around it still pipes and
 * redirects. Returns what ends it.
 */
export async function npmHere(folder: string): Promise<() => Promise<void>> {
  const server = createServer(async (request, response) => {
    const { words, environment, directory, input } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    // Settings name files from where the process is.
    const before = process.cwd()
    process.chdir(directory)
    const ended = await command(words, environment, input, directory).finally(() => process.chdir(before))
    response.end(JSON.stringify(ended))
  })
  const socketPath = join(folder, 'npm.socket')
  await new Promise<void>((resolve) => server.listen(socketPath, resolve))
  await writeFile(join(folder, 'npm'), SHIM(socketPath))
  await chmod(join(folder, 'npm'), 0o755)
  return () => new Promise((resolve) => server.close(() => resolve()))
}
