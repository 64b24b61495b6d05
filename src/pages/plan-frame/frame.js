/* Communicates with the MCP client that shows this page: https://github.com/modelcontextprotocol/ext-apps, revision 2026-01-26. */

const REVISION = '2026-01-26'
const VIEW = 'shopwright/view'
const MAIN = document.querySelector('main')
const ROOT = document.documentElement

/** The client's colours and fonts, by our names. The names on one line are applied together or not at all. */
const STYLES = [
  { '--ink': '--color-text-primary', '--paper': '--color-background-primary' },
  { '--bad': '--color-text-danger', '--bad-tint': '--color-background-danger' },
  { '--good': '--color-text-success', '--good-tint': '--color-background-success' },
  { '--wait': '--color-text-warning', '--wait-tint': '--color-background-warning' },
  {
    '--button': '--color-background-inverse',
    '--button-over': '--color-background-inverse',
    '--on-button': '--color-text-inverse',
  },
  { '--soft': '--color-text-secondary' },
  { '--line': '--color-border-primary' },
  { '--tint': '--color-background-secondary' },
  { '--accent': '--color-text-info' },
  { '--font-text': '--font-sans' },
  { '--font-code': '--font-mono' },
]

/* Messages */

const waiting = new Map()
let lastId = 0

addEventListener('message', ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== '2.0') return
  if (data.method === undefined) settle(data)
  else if (data.id === undefined) NOTICES[data.method]?.(data.params ?? {})
  else answer(data)
})

function send(message) {
  parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
}

function request(method, params) {
  const id = ++lastId
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject })
    send({ id, method, params })
  })
}

function settle({ id, result, error }) {
  const asked = waiting.get(id)
  waiting.delete(id)
  if (error) asked?.reject(new Error(error.message))
  else asked?.resolve(result)
}

function answer({ id, method }) {
  if (method === 'ping') return send({ id, result: {} })
  if (method !== 'ui/resource-teardown')
    return send({ id, error: { code: -32601, message: `Method not found: ${method}` } })
  sizes.disconnect()
  send({ id, result: {} })
}

const NOTICES = {
  'ui/notifications/tool-input': () => say('The program is running.'),
  'ui/notifications/tool-cancelled': () => say('The call was canceled.'),
  'ui/notifications/tool-result': ({ _meta }) => {
    const view = _meta?.[VIEW]
    if (typeof view === 'string') show(new DOMParser().parseFromString(view, 'text/html').body)
    else show(document.querySelector('template').content)
  },
  'ui/notifications/host-context-changed': adapt,
}

/* Content */

/** Removes anything that could run, load or send something, although the server has already escaped the content. */
const TAGS = new Set(
  'A ARTICLE B BLOCKQUOTE BR CAPTION CODE DD DEL DETAILS DIV DL DT EM H1 H2 H3 HEADER I INS LI OL P PRE SECTION SMALL SPAN STRONG SUMMARY TABLE TBODY TD TH THEAD TIME TR UL WBR'.split(
    ' ',
  ),
)
const ATTRIBUTES = new Set(['class', 'data-label', 'datetime', 'id', 'role', 'scope', 'tabindex', 'title'])

function show(content) {
  MAIN.replaceChildren(...[...content.childNodes].flatMap(sanitized))
  MAIN.setAttribute('aria-busy', 'false')
}

function say(words) {
  const line = document.createElement('p')
  line.className = 'soft'
  line.textContent = words
  MAIN.replaceChildren(line)
}

function sanitized(node) {
  if (node.nodeType === Node.TEXT_NODE) return [document.createTextNode(node.data)]
  if (!TAGS.has(node.tagName)) return []
  const copy = document.createElement(node.tagName)
  for (const { name, value } of node.attributes)
    if (ATTRIBUTES.has(name) || name.startsWith('aria-')) copy.setAttribute(name, value)
  if (/^(https?|mailto):/i.test(node.getAttribute('href') ?? '')) {
    copy.href = node.getAttribute('href')
    copy.target = '_blank'
    copy.rel = 'noopener noreferrer'
  }
  copy.append(...[...node.childNodes].flatMap(sanitized))
  return [copy]
}

/* The client */

let opensLinks = false

/** A frame may not open links itself, so it asks the client. */
MAIN.addEventListener('click', async (event) => {
  const link = event.target.closest('a[href]')
  if (!link || !opensLinks) return
  event.preventDefault()
  const opened = await request('ui/open-link', { url: link.href }).catch(() => ({ isError: true }))
  if (opened.isError) notOpened(link.href)
})

function notOpened(address) {
  const line = MAIN.querySelector('.not-opened') ?? document.createElement('p')
  line.className = 'notice not-opened'
  line.setAttribute('role', 'status')
  line.textContent = `The page was not opened. Its address is ${address}`
  MAIN.append(line)
}

function adapt({ theme, styles, safeAreaInsets }) {
  if (theme === 'light' || theme === 'dark') ROOT.style.colorScheme = theme
  const given = styles?.variables ?? {}
  for (const names of STYLES) {
    const entries = Object.entries(names)
    if (entries.every(([, theirs]) => typeof given[theirs] === 'string'))
      for (const [ours, theirs] of entries) ROOT.style.setProperty(ours, given[theirs])
  }
  for (const [side, width] of Object.entries(safeAreaInsets ?? {}))
    ROOT.style.setProperty(`--inset-${side}`, `${Number(width)}px`)
}

const sizes = new ResizeObserver(() => {
  const { width, height } = document.body.getBoundingClientRect()
  send({
    method: 'ui/notifications/size-changed',
    params: { width: Math.ceil(width), height: Math.ceil(height) },
  })
})

request('ui/initialize', {
  appInfo: { name: 'shopwright-plan', version: '1.0.0' },
  appCapabilities: { availableDisplayModes: ['inline'] },
  protocolVersion: REVISION,
}).then(({ hostCapabilities, hostContext }) => {
  opensLinks = hostCapabilities?.openLinks !== undefined
  adapt(hostContext ?? {})
  send({ method: 'ui/notifications/initialized' })
  sizes.observe(document.body)
})
