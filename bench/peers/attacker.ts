import { connect, type Socket } from 'node:net'
import { ATTACKS } from './attacks.ts'

/** Sends one account's attack as fast as its rate limit allows: `node attacker.ts PORT ATTACK BURST PER_SECOND TOKEN…`. */
const [port, name, burst, perSecond, ...tokens] = process.argv.slice(2) as [string, string, string, string, ...string[]]
const attack = ATTACKS.find((one) => one.name === name)!
const { cost = 1 } = attack
/** The maximum number of concurrent requests per token. Each uses its own connection. */
const CONNECTIONS = 100

let number = 0
for (const token of tokens) {
  const idle = Array.from({ length: CONNECTIONS }, open)
  const send = () => {
    const socket = idle.pop()
    if (!socket) return
    socket.once('answered', () => idle.push(socket))
    socket.write(attack.request(token, number++))
  }
  for (let sent = 0; sent < Number(burst) / cost; sent++) send()
  setInterval(send, (1000 * cost) / Number(perSecond))
}
console.log('attacking')

function open(): Socket {
  const socket = connect({ port: Number(port), host: '127.0.0.1', noDelay: true })
  let missing = -1
  socket.on('data', (bytes: Buffer) => {
    if (missing < 0) missing = whole(bytes)
    missing -= bytes.length
    if (missing > 0) return
    missing = -1
    socket.emit('answered')
  })
  socket.on('error', () => {})
  return socket
}

/** Returns the length of a whole response including its headers, from its first packet. */
function whole(bytes: Buffer): number {
  const head = bytes.toString('latin1', 0, 4096)
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
  return head.indexOf('\r\n\r\n') + 4 + length
}
