import { AddressRefusedError, type WebClient } from './client.ts'

/** Requests to addresses that accounts name. */
export function createWebClient(_settings: object): WebClient {
  const refuse = () => Promise.reject(new AddressRefusedError('No address is allowed yet.'))
  return { check: refuse, fetch: refuse }
}
