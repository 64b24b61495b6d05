// Loaded into a server by a test: notes each address that the process, or a worker of it, connects to or looks up.
import { appendFileSync } from 'node:fs'
import { Socket } from 'node:net'

const { connect } = Socket.prototype
Socket.prototype.connect = function (...given) {
  const [options] = Array.isArray(given[0]) ? given[0] : given
  const { host = 'localhost', path } = typeof options === 'object' ? options : { host: given[1] }
  if (!path) appendFileSync(process.env.CONNECTIONS_FILE, `${host}\n`)
  return connect.apply(this, given)
}
