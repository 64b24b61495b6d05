import type { CallToolResult, Transport } from '@modelcontextprotocol/client'
import { AppBridge, type McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge'
import type { FrameLocator } from 'playwright-core'
import type { Tab } from './browser.ts'

const ADDRESS = 'http://client.test/'

/** What a client's own policy for pages without origins is, by the specification of MCP Apps. */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'none'; frame-src 'none'; object-src 'none'"

/** The client's document: a sandboxed frame, whose messages it passes on. */
const DOCUMENT = `<!doctype html><html lang="en"><title>Client</title>
<style>body { margin: 0 } iframe { display: block; width: 100%; height: 10px; border: 0 }</style>
<script>addEventListener('message', ({ source, data }) => { if (source === frames[0]) toHost(data) })</script>
<iframe title="App" sandbox="allow-scripts" src="/frame"></iframe></html>`

/** A client that shows a page, with the host's side of the protocol as its package has it. */
export interface AppHost {
  bridge: AppBridge
  frame: FrameLocator
  /** Addresses that the page asked the client to open. */
  opened: string[]
  /** Each request that the browser made for the frame, except for the page itself. */
  requests: string[]
  /** Sends what the model asked for and what came of it. */
  show(result: CallToolResult): Promise<void>
  text(): Promise<string>
}

interface HostOptions {
  context?: McpUiHostContext
  refusesLinks?: boolean
}

export async function openInHost(tab: Tab, html: string, options: HostOptions = {}): Promise<AppHost> {
  const { page } = tab
  const requests: string[] = []
  const opened: string[] = []
  await page.route('**/*', (route) => {
    const url = route.request().url()
    if (url === ADDRESS) return route.fulfill({ contentType: 'text/html', body: DOCUMENT })
    if (url === `${ADDRESS}frame`)
      return route.fulfill({ contentType: 'text/html', body: html, headers: { 'Content-Security-Policy': POLICY } })
    if (!url.endsWith('/favicon.ico')) requests.push(url)
    return route.abort()
  })
  const bridge = new AppBridge(
    null,
    { name: 'test-client', version: '1.0.0' },
    { openLinks: {} },
    { hostContext: options.context ?? {} },
  )
  bridge.onopenlink = async ({ url }) => {
    opened.push(url)
    return options.refusesLinks ? { isError: true } : {}
  }
  bridge.onsizechange = ({ height }) =>
    void page.evaluate<void>(`document.querySelector('iframe').style.height = '${Number(height)}px'`)
  bridge.oncalltool = async () => {
    throw new Error('The page called a tool')
  }
  const initialized = new Promise<void>((resolve) => {
    bridge.oninitialized = () => resolve()
  })
  await bridge.connect(transportTo(tab))
  await page.goto(ADDRESS)
  await initialized
  const frame = page.frameLocator('iframe')
  return {
    bridge,
    frame,
    opened,
    requests,
    async show(result) {
      await bridge.sendToolInput({ arguments: { code: '1' } })
      await bridge.sendToolResult(result)
    },
    text: () => frame.locator('main').innerText(),
  }
}

/** Messages to and from the frame. */
function transportTo({ page }: Tab): Transport {
  const transport: Transport = {
    async start() {
      await page.exposeFunction('toHost', (message: Parameters<NonNullable<Transport['onmessage']>>[0]) =>
        transport.onmessage?.(message),
      )
    },
    async send(message) {
      await page.evaluate<void>(`frames[0].postMessage(${JSON.stringify(message)}, '*')`)
    },
    async close() {
      transport.onclose?.()
    },
  }
  return transport
}
