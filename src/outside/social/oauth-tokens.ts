import { codeIn, renewAt, requestTokens, type TokenRequest, type Tokens } from './oauth.ts'
import { type Access, type Credentials, type FinishRequest, PlatformRefusedError } from './provider.ts'

/** Makes the request of a form to a network's token endpoint. */
type Ask = (form: Record<string, string>) => TokenRequest

/** Trades the code that a network sent with the person (RFC 6749, 4.1.3), or says how the person declined. */
export async function tokensFor(
  { kept, query, returnUrl }: FinishRequest,
  ask: Ask,
): Promise<Tokens | { declined: string }> {
  const answered = codeIn(query)
  if ('declined' in answered) return answered
  const form = { grant_type: 'authorization_code', code: answered.code, redirect_uri: returnUrl }
  return requestTokens(ask({ ...form, ...(kept.verifier !== undefined && { code_verifier: kept.verifier }) }))
}

/** Renews access by its refresh token (RFC 6749, 6), which is replaced where the network answers another one. */
export async function renewedBy(network: string, credentials: Credentials, ask: Ask): Promise<Access> {
  const { refresh_token } = credentials
  if (!refresh_token)
    throw new PlatformRefusedError(`Access to ${network} has ended. Connect the account again.`, { expired: true })
  const tokens = await requestTokens(ask({ grant_type: 'refresh_token', refresh_token }))
  const access = { ...credentials, ...credentialsOf(tokens) }
  return { credentials: access, renewAt: access.renew_at ?? null }
}

/** What is kept of tokens. */
export function credentialsOf({ access_token, refresh_token, expires_in }: Tokens): Credentials {
  const ends = renewAt(expires_in)
  return { access_token, ...(refresh_token && { refresh_token }), ...(ends && { renew_at: ends }) }
}
