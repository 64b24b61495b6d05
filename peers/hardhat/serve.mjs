// A chain with the dollar on it, for as long as its parent runs. Takes the address where the dollar is to be; prints that of the chain.
import { readFileSync } from 'node:fs'
import hre from 'hardhat'
import solc from 'solc'

const [dollarAddress] = process.argv.slice(2)
/** Where Multicall3 is on every chain. */
const BUNDLE_ADDRESS = '0xcA11bde05977b3631167028862bE2a173976CA11'

const source = (name) => ({ content: readFileSync(new URL(name, import.meta.url), 'utf8') })

/** The code that runs, compiled here, so that no artefact can differ from its source. */
function compiled() {
  const sources = { 'Dollar.sol': source('Dollar.sol'), 'Bundle.sol': source('Bundle.sol') }
  const settings = { outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } } }
  const output = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings })))
  const wrong = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (wrong.length > 0) throw new Error(wrong.map(({ formattedMessage }) => formattedMessage).join('\n'))
  const codeOf = (name) => `0x${output.contracts[`${name}.sol`][name].evm.deployedBytecode.object}`
  return { dollar: codeOf('Dollar'), bundle: codeOf('Bundle') }
}

const server = await hre.network.createServer('chain', '127.0.0.1', 0)
const { address, port } = await server.listen()
const url = `http://${address}:${port}`

async function setCode(...params) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'hardhat_setCode', params })
  const answer = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  const { error } = await answer.json()
  if (error) throw new Error(error.message)
}

const { dollar, bundle } = compiled()
await setCode(dollarAddress, dollar)
await setCode(BUNDLE_ADDRESS, bundle)
process.stdout.write(`${url}\n`)
process.on('disconnect', () => process.exit(0))
