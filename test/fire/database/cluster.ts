import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { findServerPrograms, freePort } from '../../support/postgres-server.mjs'

const run = promisify(execFile)
const START_LIMIT_MS = 60_000

/** How a server that keeps what it answered is set up; `synchronous_commit` and `fsync` are on. */
const SETTINGS: Record<string, string> = {
  max_connections: '100',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  wal_level: 'replica',
  max_wal_senders: '4',
  wal_log_hints: 'on',
}

/** Where the programs of PostgreSQL are. Throws where there are none. */
function postgresPrograms(): string {
  const programs = findServerPrograms()
  if (!programs) throw new Error('This suite needs PostgreSQL: install the Debian package postgresql.')
  return programs
}

/** A directory that the server may use: PostgreSQL does not run as root. Removed by `undo`. */
export function postgresDirectory(undo: (() => unknown)[], parent = tmpdir()): string {
  const directory = mkdtempSync(join(parent, 'shopwright-fire-'))
  own(directory)
  undo.push(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

function own(path: string): void {
  const { uid, gid } = ordinaryUser()
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
}

function ordinaryUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** One PostgreSQL server that can be killed, started again, copied and promoted. */
export class Cluster {
  readonly data: string
  readonly port: number
  readonly #settings: Record<string, string>
  #server: ChildProcess | null = null
  #ended: Promise<unknown> = Promise.resolve()
  #log = ''

  constructor(data: string, port: number, settings: Record<string, string> = {}) {
    this.data = data
    this.port = port
    this.#settings = { ...SETTINGS, ...settings, port: String(port) }
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`
  }

  get log(): string {
    return this.#log
  }

  /** Resolves once it takes connections. One that was killed may need a moment until its last process has gone. */
  async start(more: Record<string, string> = {}): Promise<void> {
    const until = Date.now() + START_LIMIT_MS
    for (;;) {
      if (await this.#tryToStart(more, until)) return
      if (Date.now() > until) throw new Error(`PostgreSQL did not start:\n${this.#log.slice(-2_000)}`)
      await delay(200)
    }
  }

  async #tryToStart(more: Record<string, string>, until: number): Promise<boolean> {
    const settings = Object.entries({ ...this.#settings, ...more }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ])
    const program = join(postgresPrograms(), 'postgres')
    const options = { ...ordinaryUser(), cwd: this.data, detached: true, stdio: ['ignore', 'ignore', 'pipe'] as const }
    const server = spawn(program, ['-D', this.data, ...settings], { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
    let log = ''
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-20_000)
      this.#log = (this.#log + text).slice(-50_000)
    })
    this.#server = server
    this.#ended = new Promise((resolve) => server.once('close', resolve).once('error', resolve))
    while (Date.now() < until) {
      if (/ready to accept (read-only )?connections/.test(log)) return true
      if (server.exitCode !== null || server.signalCode !== null) return false
      await delay(30)
    }
    return false
  }

  /** SIGINT cuts clients off, SIGQUIT stops at once without a checkpoint, SIGKILL is the postmaster's sudden death. */
  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
    this.#server?.kill(signal)
    await this.#ended
    this.#server = null
  }

  /** Kills the postmaster and all its processes at one moment, as a loss of the machine does. */
  async killAll(): Promise<void> {
    const pid = this.#server?.pid
    if (pid === undefined) return
    process.kill(-pid, 'SIGKILL')
    await this.#ended
    this.#server = null
  }

  get isRunning(): boolean {
    return this.#server !== null && this.#server.exitCode === null && this.#server.signalCode === null
  }

  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = new Client({ connectionString: this.url })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query<Row>(text, values)).rows
    } finally {
      await client.end()
    }
  }

  /** Ends connections of the service at random: each with the given probability. */
  async terminateSome(share: number): Promise<void> {
    await this.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'shopwright' and random() < $1`,
      [share],
    )
  }
}

/** A new cluster that was never started, below `parent`. */
export async function makeCluster(
  undo: (() => unknown)[],
  settings: Record<string, string> = {},
  parent?: string,
): Promise<Cluster> {
  const data = join(postgresDirectory(undo, parent), 'data')
  await run(
    join(postgresPrograms(), 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '--locale=C', '-E', 'UTF8'],
    {
      ...ordinaryUser(),
      cwd: '/',
    },
  )
  const cluster = new Cluster(data, await freePort(), settings)
  undo.push(() => cluster.stop())
  return cluster
}

/** Copies a running cluster with pg_basebackup, as a standby of it or as a copy for later. */
export async function baseBackup(
  from: Cluster,
  undo: (() => unknown)[],
  { standby, port, settings = {} }: { standby?: string; port?: number; settings?: Record<string, string> } = {},
): Promise<Cluster> {
  const data = join(postgresDirectory(undo), 'data')
  mkdirSync(data, { mode: 0o700 })
  own(data)
  const connection = `host=127.0.0.1 port=${from.port} user=postgres${standby ? ` application_name=${standby}` : ''}`
  const args = ['-D', data, '-d', connection, '-X', 'stream', '--checkpoint=fast', ...(standby ? ['-R'] : [])]
  await run(join(postgresPrograms(), 'pg_basebackup'), args, { ...ordinaryUser(), cwd: '/' })
  const cluster = new Cluster(data, port ?? (await freePort()), settings)
  undo.push(() => cluster.stop())
  return cluster
}
