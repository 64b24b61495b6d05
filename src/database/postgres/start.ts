import { DatabaseStartError } from '../database.ts'
import { urlsOf } from './hosts.ts'
import { StandbyError } from './session-settings.ts'

const FORM = 'postgres://user:password@host:5432/name'

/** Returns the name of a database for messages, without the password. */
export function placeOf(url: string): string {
  const [first = url] = urlsOf(url)
  const { host, pathname } = new URL(first)
  return `The database ${pathname.slice(1)} at ${host || 'the local socket'}`
}

/** Returns a DatabaseStartError that explains why `url` could not be opened, without the password. Returns other errors unchanged. */
export function startError(error: unknown, url: string): unknown {
  if (error instanceof DatabaseStartError) return error
  const [first = url] = urlsOf(url)
  const target = URL.canParse(first) ? new URL(first) : undefined
  if (!target || !/^postgres(ql)?:$/.test(target.protocol)) {
    return new DatabaseStartError(`DATABASE_URL is not a URL of the form ${FORM}: correct it.`)
  }
  const said = sentence(error as NodeJS.ErrnoException, target)
  if (said === undefined) return error
  const unreachable = error instanceof StandbyError || isUnreachable(error as NodeJS.ErrnoException)
  return new DatabaseStartError(said, unreachable ? { reason: 'unreachable' } : {})
}

function isUnreachable({ code = '', message }: NodeJS.ErrnoException): boolean {
  return /^(ECONN|EHOST|ENET|ENOENT|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|57P03)/.test(code) || /timeout/i.test(message)
}

function sentence(error: NodeJS.ErrnoException, target: URL): string | undefined {
  const server = target.host || 'the local socket'
  if (error instanceof StandbyError)
    return `PostgreSQL at ${server} is a standby, which takes no writes: correct DATABASE_URL, or promote it.`
  switch (error.code) {
    case 'ECONNREFUSED':
    case 'ECONNRESET':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ENOENT':
    case 'ETIMEDOUT':
      return `No PostgreSQL server answers at ${server}: start it, or correct DATABASE_URL.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host ${target.hostname} of DATABASE_URL cannot be found: correct it, or check the name server.`
    case '28P01':
    case '28000':
      return `PostgreSQL at ${server} refuses the user or the password of DATABASE_URL: correct them.`
    case '3D000':
      return `PostgreSQL at ${server} has no database "${target.pathname.slice(1)}": create it, or correct DATABASE_URL.`
    case '42501':
      return `The user of DATABASE_URL ${lackingRight(error.message)} at ${server}${target.pathname}.`
    case '25006':
      return `PostgreSQL at ${server} takes no writes from the user of DATABASE_URL: set default_transaction_read_only to off for ${target.pathname.slice(1)} and its user.`
    case '53300':
      return `PostgreSQL at ${server} has no connection left: raise its max_connections, or stop other clients.`
    case '57P03':
      return `PostgreSQL at ${server} is still starting or is stopping: start again in a moment.`
  }
  return connectionSentence(error.message, server)
}

/** Explains a message about a missing right, such as `permission denied for table accounts`. */
function lackingRight(message: string): string {
  const [, what] = /for ((?:table|sequence|relation) \S+)/.exec(message) ?? []
  if (what === undefined) return 'needs the right CREATE on the schema'
  return `may not write the ${what}: make it the owner of all tables and sequences, or grant it all rights on them,`
}

function connectionSentence(message: string, server: string): string | undefined {
  if (/timeout/i.test(message))
    return `PostgreSQL at ${server} did not answer in time: check it, or correct DATABASE_URL.`
  if (/SASL|password/i.test(message)) {
    return `PostgreSQL at ${server} asks for a password that DATABASE_URL does not give correctly: correct it.`
  }
  if (/SSL|certificate/i.test(message)) {
    return `An encrypted connection to PostgreSQL at ${server} cannot be made: correct sslmode in DATABASE_URL.`
  }
  if (/terminated/i.test(message)) return `What answers at ${server} closed the connection: check DATABASE_URL.`
}
