import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createPublicClient, createWalletClient, defineChain, encodeFunctionData, type Hex, http, parseAbi } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { X402_CHAINS } from '../../src/contract/values/x402-chains.ts'

const FOLDER = new URL('../../peers/hardhat/', import.meta.url)

/** Whether the chain is installed: `peers/install hardhat`. */
export const HAS_CHAIN = ['hardhat', 'solc'].every((name) =>
  existsSync(new URL(`node_modules/${name}/package.json`, FOLDER)),
)

/** The simulated chain. The test dollar has the contract address of that chain. */
export const PLAYED = X402_CHAINS['base-sepolia']

const ABI = parseAbi([
  'function mint(address to, uint256 value)',
  'function setBlacklisted(address account, bool refused)',
  'function transfer(address to, uint256 value)',
  'function balanceOf(address account) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
])

export type Call = { functionName: string; args: readonly unknown[] }

/** A test chain in its own process, which produces five blocks a second. */
export class TestChain {
  readonly url: string
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, url: string) {
    this.#child = child
    this.url = url
  }

  static async start(): Promise<TestChain> {
    const child = fork(fileURLToPath(new URL('serve.mjs', FOLDER)), [PLAYED.asset], {
      cwd: fileURLToPath(FOLDER),
      silent: true,
    })
    const chain = new TestChain(child, await addressOf(child))
    await chain.mine({ everyMs: 200 })
    return chain
  }

  readonly described = defineChain({
    id: 84_532,
    name: 'Test chain',
    nativeCurrency: { name: 'Gas', symbol: 'GAS', decimals: 18 },
    rpcUrls: { default: { http: [] } },
  })

  get client() {
    return createPublicClient({ chain: this.described, transport: http(this.url), cacheTime: 0 })
  }

  /** Creates a wallet with gas and with dollars, in minor units. */
  async wallet({ cents = 0 } = {}): Promise<{ key: Hex; account: PrivateKeyAccount; address: Hex }> {
    const key = generatePrivateKey()
    const account = privateKeyToAccount(key)
    await this.rpc('hardhat_setBalance', [account.address, '0x56BC75E2D63100000'])
    if (cents > 0) await this.send(account, { functionName: 'mint', args: [account.address, BigInt(cents) * 10_000n] })
    return { key, account, address: account.address }
  }

  /** Returns the dollars of a wallet in minor units. */
  async centsOf(address: string): Promise<number> {
    const asked = { address: PLAYED.asset, abi: ABI, functionName: 'balanceOf', args: [address as Hex] } as const
    return Number((await this.client.readContract(asked)) / 10_000n)
  }

  /** Returns the number of transactions that a wallet has sent. */
  sentBy(address: Hex): Promise<number> {
    return this.client.getTransactionCount({ address })
  }

  /** Calls the dollar contract from a wallet, and waits for the block. */
  async send(account: PrivateKeyAccount, { functionName, args }: Call): Promise<Hex> {
    const wallet = createWalletClient({ account, chain: this.described, transport: http(this.url) })
    const call = { address: PLAYED.asset, abi: ABI, functionName, args }
    const hash = await wallet.writeContract(call as Parameters<typeof wallet.writeContract>[0])
    await this.client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
    return hash
  }

  /** Calls the dollar contract several times in one transaction. */
  async bundle(account: PrivateKeyAccount, calls: Call[]): Promise<Hex> {
    const wallet = createWalletClient({ account, chain: this.described, transport: http(this.url) })
    const hash = await wallet.writeContract({
      address: '0xcA11bde05977b3631167028862bE2a173976CA11',
      abi: parseAbi([
        'struct Call { address target; bytes callData; }',
        'function tryAggregate(bool requireSuccess, Call[] calls) payable',
      ]),
      functionName: 'tryAggregate',
      args: [true, calls.map(dollarCall)],
    })
    await this.client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
    return hash
  }

  /** `everyMs` 0 stops periodic blocks; transactions then wait unless `automatic`. */
  async mine({ everyMs, automatic = true }: { everyMs: number; automatic?: boolean }): Promise<void> {
    await this.rpc('evm_setAutomine', [automatic])
    await this.rpc('evm_setIntervalMining', [everyMs])
  }

  /** Advances the clock of the chain by some seconds. */
  async pass(seconds: number): Promise<void> {
    await this.rpc('evm_increaseTime', [seconds])
    await this.rpc('hardhat_mine', ['0x5'])
  }

  async rpc(method: string, params: unknown[] = []): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const answer = await fetch(this.url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    const { result, error } = (await answer.json()) as { result?: unknown; error?: { message: string } }
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#child.once('exit', () => resolve())
      this.#child.kill('SIGKILL')
    })
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  let said = ''
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (words) => String(words).startsWith('http') && resolve(String(words).trim()))
    child.stderr?.on('data', (words) => {
      said += words
    })
    child.once('exit', () => reject(new Error(`The chain did not start: ${said.slice(-2_000)}`)))
  })
}

/** Encodes a call of the dollar contract for a batched transaction. */
function dollarCall({ functionName, args }: Call): { target: Hex; callData: Hex } {
  const call = { abi: ABI, functionName, args } as Parameters<typeof encodeFunctionData>[0]
  return { target: PLAYED.asset, callData: encodeFunctionData(call) }
}
