import { chmod, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { command } from './command.ts'

/** A fake npm. It forwards its arguments, environment, directory and input, and exits with the status of the command. */
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
 * Installs a fake npm in a folder, whose `npm run` runs the commands of the service in this process. Pipes and redirections work.
 * Returns a function that stops it.
 */
export async function npmHere(folder: string): Promise<() => Promise<void>> {
  const server = createServer(async (request, response) => {
    const { words, environment, directory, input } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    // File names in settings are relative to the working directory.
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
