import { execFileSync, spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from './postgres-server.mjs'
import { read } from './source-files.ts'

const PROGRAM = '/usr/sbin/pgbouncer'

/** Returns the path of PgBouncer, or null if it is not installed (Debian package pgbouncer). */
export function findPgBouncer(): string | null {
  return existsSync(PROGRAM) ? PROGRAM : null
}

/** Starts PgBouncer in front of a server with the shipped settings. Returns the URL to use instead of the server's. */
export async function startPgBouncer(
  program: string,
  server: string,
  undo: (() => unknown)[],
  onPort?: number,
): Promise<string> {
  const target = new URL(server)
  const directory = await mkdtemp(join(tmpdir(), 'shopwright-pgbouncer-'))
  undo.push(() => rm(directory, { recursive: true, force: true }))
  const port = onPort ?? (await freePort())
  const file = join(directory, 'pgbouncer.ini')
  const database = `host=${target.hostname} port=${target.port || 5432} dbname=${target.pathname.slice(1)} user=${target.username}`
  const password = target.password ? ` password=${decodeURIComponent(target.password)}` : ''
  // The shipped file, with what depends on the machine in its place, and few sessions.
  const settings = read('examples/deploy/pgbouncer.ini')
    .replace(/^shopwright = .*$/m, `shop = ${database}${password}`)
    .replace(/^listen_port = .*$/m, `listen_port = ${port}\nunix_socket_dir =\nlogfile = ${join(directory, 'log')}`)
    .replace(/^auth_type = .*$/m, 'auth_type = any')
    .replace(/^auth_file = .*$/m, '')
    .replace(/^default_pool_size = .*$/m, 'default_pool_size = 4')
  writeFileSync(file, settings)
  const user = process.getuid?.() === 0 ? ordinaryUser() : null
  if (user) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, directory])
  const child = spawn(program, [file], { ...user, stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('close', resolve).once('error', resolve))
  undo.push(async () => {
    child.kill('SIGKILL')
    await ended
  })
  await delay(500)
  if (child.exitCode !== null) throw new Error(`PgBouncer did not start: ${child.exitCode}`)
  return `postgres://anybody@127.0.0.1:${port}/shop`
}

/** PgBouncer refuses to run as root. */
function ordinaryUser(): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}
