import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ModelServer } from './model-server.ts'

const BINARY = fileURLToPath(new URL('../../peers/claude-code/node_modules/.bin/claude', import.meta.url))

/** Whether Claude Code is installed: `peers/install claude-code`. */
export const HAS_CLAUDE_CODE = existsSync(BINARY)

/** Returns the version that it prints, or its error output if it does not run. */
export function claudeVersion(): string {
  const { stdout, stderr } = spawnSync(BINARY, ['--version'], { encoding: 'utf8' })
  return stdout + stderr
}

interface Options {
  model: ModelServer
  /** The endpoint and the token in its configuration. */
  mcpUrl: string
  token: string
}

/** An interactive session in a terminal. */
export interface ClaudeTerminal {
  /** Types and sends a line, repeatedly until `isRead` returns true. */
  ask(prompt: string, isRead: () => boolean): Promise<void>
  close(): Promise<void>
}

/** Asks one question without a terminal, like a script (`claude -p`), and returns its JSON output. */
export async function printClaude(options: Options, prompt: string): Promise<{ result: string; is_error: boolean }> {
  const place = await claudePlace(options)
  try {
    const args = ['-p', prompt, '--output-format', 'json', ...place.arguments]
    const child = spawn(BINARY, args, { cwd: place.home, env: place.env, stdio: ['ignore', 'pipe', 'inherit'] })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    await ended(child)
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } finally {
    place.remove()
  }
}

/** Opens a session in a pseudo-terminal, which the command `script` creates. */
export async function openClaude(options: Options): Promise<ClaudeTerminal> {
  const place = await claudePlace(options)
  const command = `stty cols 120 rows 40; exec '${BINARY}' ${place.arguments.map((one) => `'${one}'`).join(' ')}`
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: place.home,
    env: { ...place.env, TERM: 'xterm-256color', SHELL: '/bin/sh' },
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  })
  return {
    async ask(prompt, isRead) {
      child.stdin!.write(prompt)
      for (let tries = 0; !isRead(); tries++) {
        if (tries === 100) throw new Error(`Claude Code never sent: ${prompt}`)
        // The return key is sent later, because input that arrives at once counts as pasted.
        await delay(300)
        if (!isRead() && tries % 5 === 0) child.stdin!.write('\r')
      }
    },
    async close() {
      // The terminal and the programs in it form one process group.
      process.kill(-child.pid!, 'SIGKILL')
      await ended(child)
      place.remove()
    },
  }
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.on('close', () => resolve()))
}

/** Creates a home directory that skips the first-run questions, and an environment that can reach only loopback. */
async function claudePlace({ model, mcpUrl, token }: Options) {
  const home = mkdtempSync(join(tmpdir(), 'claude-code-'))
  const settings = join(home, '.claude')
  mkdirSync(settings)
  const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true }
  const known = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: [model.key.slice(-20)], rejected: [] },
    projects: { [home]: trusted },
  }
  writeFileSync(join(settings, '.claude.json'), JSON.stringify(known))
  const shop = { type: 'http', url: mcpUrl, headers: { Authorization: `Bearer ${token}` } }
  writeFileSync(join(home, 'mcp.json'), JSON.stringify({ mcpServers: { shop } }))
  const wall = await refusingProxy()
  return {
    home,
    arguments: [
      ...['--mcp-config', join(home, 'mcp.json'), '--strict-mcp-config'],
      ...['--allowedTools', 'mcp__shop__code_search,mcp__shop__code_execute'],
    ],
    env: { ...environment(home, model), HTTP_PROXY: wall.url, HTTPS_PROXY: wall.url, https_proxy: wall.url },
    remove: () => {
      wall.close()
      rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
}

function environment(home: string, { url, key }: ModelServer) {
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    TMPDIR: home,
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    ANTHROPIC_BASE_URL: url.replace('/v1', ''),
    ANTHROPIC_API_KEY: key,
    // The first request contains the tools, instead of a tool that searches for them.
    ENABLE_TOOL_SEARCH: 'false',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
    NO_PROXY: '127.0.0.1,localhost',
  }
}

/** Starts a proxy that refuses all requests, so that its clients cannot reach other machines. */
async function refusingProxy() {
  const proxy = createServer((_, response) => response.writeHead(502).end())
  proxy.on('connect', (_, socket) => socket.end('HTTP/1.1 502 Refused\r\n\r\n'))
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  proxy.unref()
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, close: () => proxy.close() }
}
