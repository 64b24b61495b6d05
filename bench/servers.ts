import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))
export const SECRET = 'the secret key of benchmarks'
export const TOKEN = 'the token that benchmarks use'.replaceAll(' ', '-')

export interface Server {
  port: number
  pid: number
  /** From the start of the process until it prints its URL. */
  startMs: number
  stop(): Promise<void>
}

export async function dataDirectory(): Promise<{ directory: string; remove(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'shopwright-bench-'))
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) }
}

/** Starts Shopwright in a separate process, from its source or from a release in another directory. */
export function startShopwright(
  directory: string,
  settings: Record<string, string> = {},
  root: string = ROOT,
): Promise<Server> {
  const environment = {
    PATH: process.env.PATH,
    PORT: '0',
    DATA_DIR: directory,
    SECRET_KEY: SECRET,
    BOOTSTRAP_TOKEN: TOKEN,
    RATE_LIMIT_PER_MINUTE: '100000000',
    RATE_LIMIT_BURST: '100000000',
    ...settings,
  }
  return startProcess([join(root, 'bin/shopwright.mjs'), 'start'], environment, /REST API.*:(\d+)\/v1/)
}

/** Starts the minimal server on the same database file. Stop Shopwright first. */
export function startBare(directory: string): Promise<Server> {
  return startProcess(
    [join(ROOT, 'bench/peers/bare-server.ts'), join(directory, 'shopwright.db'), SECRET],
    { PATH: process.env.PATH },
    /port (\d+)/,
  )
}

/** Starts a program and finds its port in its output, which the pattern `address` matches. */
export function startProcess(
  args: string[],
  env: NodeJS.ProcessEnv,
  address: RegExp,
  cwd: string = process.cwd(),
): Promise<Server> {
  const began = performance.now()
  const child = spawn(process.execPath, args, { env, cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((resolve, reject) => {
    let printed = ''
    child.once('exit', () => reject(new Error(`The server ended: ${printed}`)))
    child.stdout.on('data', (text: Buffer) => {
      printed += text
      const port = address.exec(printed)?.[1]
      if (port)
        resolve({ port: Number(port), pid: child.pid!, startMs: performance.now() - began, stop: () => stop(child) })
    })
  })
}

export async function runProcess(args: string[], env: NodeJS.ProcessEnv, cwd: string = process.cwd()): Promise<void> {
  await promisify(execFile)(process.execPath, args, { env, cwd, maxBuffer: 100_000_000 })
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.removeAllListeners('exit').once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}
