// A chain with the dollar on it, for as long as its parent runs. Takes the address where the dollar is to be; prints that of the chain.
import { readFileSync } from 'node:fs'
import hre from 'hardhat'
import solc from 'solc'

const [dollarAddress] = process.argv.slice(2)

/** The code that runs, compiled here, so that no artefact can differ from its source. */
function compiled() {
  const content = readFileSync(new URL('Dollar.sol', import.meta.url), 'utf8')
  const settings = { outputSelection: { '*': { Dollar: ['evm.deployedBytecode.object'] } } }
  const input = { language: 'Solidity', sources: { 'Dollar.sol': { content } }, settings }
  const { contracts, errors = [] } = JSON.parse(solc.compile(JSON.stringify(input)))
  const wrong = errors.filter(({ severity }) => severity === 'error')
  if (wrong.length > 0) throw new Error(wrong.map(({ formattedMessage }) => formattedMessage).join('\n'))
  return `0x${contracts['Dollar.sol'].Dollar.evm.deployedBytecode.object}`
}

const server = await hre.network.createServer('chain', '127.0.0.1', 0)
const { address, port } = await server.listen()
const url = `http://${address}:${port}`
const body = { jsonrpc: '2.0', id: 1, method: 'hardhat_setCode', params: [dollarAddress, compiled()] }
const answer = await fetch(url, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})
const { error } = await answer.json()
if (error) throw new Error(error.message)
process.stdout.write(`${url}\n`)
process.on('disconnect', () => process.exit(0))
