import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Agent, startAgent } from './agent.ts'

const conformance = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js')
const results = mkdtempSync(join(tmpdir(), 'conformance-'))
let agent: Agent
let proxy: Server

/** The official suite has no way to send a token, so a proxy adds it; everything else passes as it came. */
beforeAll(async () => {
  agent = await startAgent()
  proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: agent.authorization }
    const passed = request(agent.mcpUrl, { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => proxy.listen(0, 'localhost', resolve))
})
afterAll(async () => {
  proxy.close()
  await agent.close()
  rmSync(results, { recursive: true })
})

test.each(['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'])(
  'the official conformance scenario %s passes',
  async (scenario) => {
    const url = `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`
    const options = ['server', '--url', url, '--scenario', scenario]
    const { stdout } = await promisify(execFile)(process.execPath, [conformance, ...options], { cwd: results })
    expect(stdout).toMatch(/Passed: (\d+)\/\1, 0 failed, 0 warnings/)
  },
  20_000,
)
