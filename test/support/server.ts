import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CACHE_DIR } from './cache.ts'
import { type Answer, type RequestOptions, request } from './request.ts'

const BIN = fileURLToPath(new URL('../../bin/shopwright.mjs', import.meta.url))
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TOKEN = /\bshpw_[0-9A-Za-z]{36}\b/

export type Environment = Record<string, string | undefined>

/** The exit status of a process and everything that it printed. */
export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface Process {
  child: ChildProcess
  ended: Promise<Ended>
  /** Returns everything printed so far on standard output and standard error. */
  printed(): string
  /** Resolves when standard output matches, and rejects if the process ends before. */
  until(pattern: RegExp): Promise<string>
}

export interface Server extends Process {
  /** The local URL, without a trailing slash. */
  url: string
  /** The token that this start printed, or null. */
  token: string | null
  /** Sends one REST request with the printed token or that of the options. The path omits `/v1`. */
  api(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<Answer>
  /** Calls a tool with a program and returns its result. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at freely in tests
  tool(name: 'code_search' | 'code_execute', code: string, token?: string): Promise<any>
  /** Sends a signal and resolves when the process has ended. */
  stop(signal?: NodeJS.Signals): Promise<Ended>
}

const running = new Set<ChildProcess>()
process.on('exit', killAll)

/** Kills the processes that failed tests left running. */
export function killAll(): void {
  for (const child of running) child.kill('SIGKILL')
}

/** Returns the environment of a server that uses `directory`, without the other variables of this process. */
export function environmentOf(directory: string, more: Environment = {}): Environment {
  const { PATH, HOME } = process.env
  return { PATH, HOME, PORT: '0', DATA_DIR: directory, CACHE_DIR, DEMO_DATA: 'none', ...more }
}

/** Starts a program with exactly this environment, by default in the directory of the project. `input` is its standard input. */
export function launch(
  program: string,
  args: string[],
  environment: Environment,
  input = '',
  cwd: string = ROOT,
): Process {
  const env = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined))
  const child = spawn(program, args, { env, stdio: 'pipe', cwd })
  running.add(child)
  child.stdin.on('error', () => {}).end(input)
  let stdout = ''
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      running.delete(child)
      resolve({ code, signal, stdout, stderr })
    })
  })
  const until = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => pattern.test(stdout) && resolve(stdout)
      child.stdout.on('data', look)
      look()
      ended.then(
        ({ code, signal }) => reject(new Error(`The process ended early (${code ?? signal}).\n${stdout}${stderr}`)),
        reject,
      )
    })
  return { child, ended, until, printed: () => stdout + stderr }
}

/** Runs one of the service's commands with this process's Node.js. */
export function shopwright(args: string[], environment: Environment, input?: string): Process {
  return launch(process.execPath, [BIN, ...args], environment, input)
}

/** Starts a server and resolves when it has printed its greeting. */
export async function startServer(environment: Environment): Promise<Server> {
  return attach(shopwright(['start'], environment))
}

/** Waits until a launched server has printed its greeting. */
export async function attach(server: Process): Promise<Server> {
  const greeting = await server.until(/REST API\s+\S+[\s\S]*\n\n$|"msg":"Shopwright is running"/)
  const port = /REST API\s+https?:\/\/\S+?:(\d+)\/v1|"port":(\d+)/.exec(greeting)?.slice(1).find(Boolean)
  const [, file = ''] = /"file":"([^"]+)"/.exec(greeting) ?? []
  const url = `http://127.0.0.1:${port}`
  const token = TOKEN.exec(existsSync(file) ? readFileSync(file, 'utf8') : greeting)?.[0] ?? null
  return {
    ...server,
    url,
    token,
    api: (method, path, body, options) => request(url, token, method, path, body, options),
    tool: (name, code, given) => callTool(url, given ?? token, name, code),
    async stop(signal = 'SIGTERM') {
      server.child.kill(signal)
      return server.ended
    },
  }
}

/** Sends one JSON-RPC request to an MCP endpoint. */
export async function rpc(endpoint: string, headers: Record<string, string>, method: string, params: object = {}) {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at freely in tests
  return { status: response.status, body: (await response.json()) as any }
}

async function callTool(url: string, token: string | null, name: string, code: string) {
  const headers = { Authorization: `Bearer ${token}` }
  const { body } = await rpc(`${url}/mcp`, headers, 'tools/call', { name, arguments: { code } })
  return body.result?.structuredContent ?? body
}
