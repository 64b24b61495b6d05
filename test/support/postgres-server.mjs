// A temporary PostgreSQL server for one run of the tests.
import { execFile, execFileSync, spawn } from 'node:child_process'
import { accessSync, constants, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const DEBIAN = '/usr/lib/postgresql'
const START_LIMIT_MS = 120_000
/** Settings that turn off durability and allow many concurrent tests. */
const OPTIONS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
}

/** Returns the directory of `initdb` and `postgres` of the newest installed version, or null. */
export function findServerPrograms() {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : []
  const places = [
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  return places.find((place) => ['initdb', 'postgres'].every((name) => isProgram(join(place, name)))) ?? null
}

/** Starts a server on a free port in its own directory. Pushes functions that stop and remove it onto `undo`. */
export async function startServer(programs, undo) {
  const server = await makeServer(programs, undo)
  await server.start()
  const version = execFileSync(join(programs, 'postgres'), ['--version'], { encoding: 'utf8' }).trim()
  return { ...server, version }
}

/** Creates a server that can be restarted on the same port. Pushes functions that stop and remove it onto `undo`. */
async function makeServer(programs, undo) {
  const user = ordinaryUser()
  const directory = mkdtempSync(join(tmpdir(), 'shopwright-postgres-'))
  undo.push(() => rmSync(directory, { recursive: true, force: true }))
  if (user) execFileSync('chown', [`${user.uid}:${user.gid}`, directory])
  // The server has its own process group, so that Ctrl-C does not stop it before the tests.
  const options = { ...user, cwd: directory, detached: true }
  const data = join(directory, 'data')
  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '--locale=C', '-E', 'UTF8']
  await promisify(execFile)(join(programs, 'initdb'), initdb, options)
  const port = await freePort()
  let stop = async () => {}
  const start = async (more = {}) => {
    stop = await runServer(join(programs, 'postgres'), data, { settings: { ...OPTIONS, port, ...more }, options })
  }
  undo.push(() => stop('SIGINT'))
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    start,
    stop: (signal = 'SIGINT') => stop(signal),
  }
}

/** Resolves once it accepts connections. Returns what stops it: SIGTERM waits for clients, SIGINT ends them, SIGQUIT is a crash. */
async function runServer(program, data, { settings, options }) {
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(program, ['-D', data, ...given], { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  server.stderr.setEncoding('utf8').on('data', (text) => {
    log = (log + text).slice(-4_000)
  })
  const ended = new Promise((resolve) => server.once('close', resolve).once('error', resolve))
  const limit = Date.now() + START_LIMIT_MS
  while (!/database system is ready to accept connections/.test(log)) {
    if (server.exitCode !== null || Date.now() > limit) throw new Error(`PostgreSQL did not start:\n${log}`)
    await sleep(50)
  }
  return async (signal) => {
    server.kill(signal)
    await ended
  }
}

/** PostgreSQL refuses to run as root, so root starts it as the user of the package or as nobody. */
function ordinaryUser() {
  if (process.getuid?.() !== 0) return null
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }))
      return { uid: id('-u'), gid: id('-g') }
    } catch {}
  }
  throw new Error(
    'PostgreSQL does not run as root, and this machine has no user postgres or nobody: set TEST_DATABASE_URL.',
  )
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Returns a free port. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}
