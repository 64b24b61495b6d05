import type { DomainRecords } from '../dns/provider.ts'
import type { WebClient } from '../web/client.ts'
import type { SocialProvider } from './provider.ts'

export interface NetworkParts {
  /** The guarded client: public addresses alone, with a limit of time and size. */
  web: WebClient
  domains: Pick<DomainRecords, 'texts'>
  /** 32 bytes that only this service knows, always the same for the same purpose. */
  secretOf(purpose: string): Buffer
  /** The settings that its entry names; all that it needs are there. */
  settings: Readonly<Record<string, string>>
  /** Where an address of the network is reached, such as `https://api.example.com`: there, or at a stand-in of tests. */
  addressOf(address: string): string
}

/** What a network does; its name and platforms are in its entry. */
export type Network = Omit<SocialProvider, 'name' | 'platforms' | 'simulation'>

/** One line of the registry: a network, the platforms that it serves, and what it needs. */
export interface NetworkEntry {
  /** Stored with each account. */
  name: string
  platforms: readonly string[]
  /** Settings that all must be there; none where a network needs nothing of whoever runs the service. */
  settings: readonly string[]
  optional?: readonly string[]
  /** What to do at the network until they are there, in order. */
  steps: readonly string[]
  open(parts: NetworkParts): Network
}
