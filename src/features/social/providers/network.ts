import type { DomainRecords } from '../../../providers/dns/provider.ts'
import type { WebClient } from '../../../providers/web/client.ts'
import type { SocialProvider } from './provider.ts'

export interface NetworkParts {
  /** The HTTP client, which only connects to public addresses and limits time and size. */
  web: WebClient
  domains: Pick<DomainRecords, 'texts'>
  /** Returns 32 secret bytes of this service: the same purpose always gives the same bytes. */
  secretOf(purpose: string): Buffer
  /** The values of the settings that the network's entry lists; all required ones are present. */
  settings: Readonly<Record<string, string>>
  /** Returns the URL to use in place of a network's URL, such as `https://api.example.com`. Only tests return another one. */
  addressOf(address: string): string
}

/** The implementation of a network; its name and platforms are in its entry. */
type Network = Omit<SocialProvider, 'name' | 'platforms' | 'simulation'>

/** A network in the registry, with its platforms and required settings. */
export interface NetworkEntry {
  /** The name, which is stored with each account. */
  name: string
  platforms: readonly string[]
  /** The required settings; empty if the network needs none. */
  settings: readonly string[]
  optional?: readonly string[]
  /** The steps, in order, with which the operator obtains the settings from the network. */
  steps: readonly string[]
  open(parts: NetworkParts): Network
}
