interface Saved {
  access_token: string
  refresh_token?: string
  scope?: string
}

/** What a client keeps of an authorization server, in memory, with every request that it makes. */
export class Remembering {
  /** Where it waits for the browser to come back. */
  readonly redirectUrl: string
  readonly clientMetadata = { client_name: 'Test client', redirect_uris: ['http://127.0.0.1/callback'] }
  /** Where the person was sent to. */
  sentTo: URL | null = null
  known: { client_id: string } | undefined
  saved: Saved | undefined
  /** Headers that somebody has configured. */
  headers: Record<string, string> = {}
  /** Method and path of each request. */
  readonly asked: string[] = []
  readonly statuses: number[] = []
  #verifier = ''
  #discovered: unknown

  constructor(redirectUrl = 'http://127.0.0.1:33418/callback') {
    this.redirectUrl = redirectUrl
  }

  state = () => 'state-of-this-client'
  clientInformation = () => this.known
  saveClientInformation = (known: { client_id: string }) => {
    this.known = known
  }
  tokens = () => this.saved
  saveTokens = (saved: Saved) => {
    this.saved = saved
  }
  codeVerifier = () => this.#verifier
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier
  }
  redirectToAuthorization = (url: URL) => {
    this.sentTo = url
  }
  discoveryState = () => this.#discovered
  saveDiscoveryState = (discovered: unknown) => {
    this.#discovered = discovered
  }
  invalidateCredentials = (what: string) => {
    if (what === 'tokens' || what === 'all') this.saved = undefined
    if (what === 'client' || what === 'all') this.known = undefined
  }

  readonly fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    for (const [name, value] of Object.entries(this.headers)) headers.set(name, value)
    const response = await fetch(url, { ...init, headers })
    this.asked.push(`${init.method ?? 'GET'} ${new URL(url).pathname}`)
    this.statuses.push(response.status)
    // The server in this process has put a class of its own in place of `Response`, and clients ask for that.
    const body = [204, 304].includes(response.status) ? null : await response.text()
    return new Response(body, { status: response.status, headers: response.headers })
  }
}
