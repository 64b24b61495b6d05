import type { Models, ModelUse } from '../models/provider.ts'

export interface SiteBrief {
  id: string
  name: string
  /** In the owner's words; null where the repository is all that there is. */
  prompt: string | null
  /** Where its code is, or is to be, as owner/name; null when that is the builder's choice. */
  repository: string | null
  subdomain: string | null
}

/** A picture of the shop, with its bytes. */
export interface ShopPicture {
  bytes: Uint8Array
  /** A kind of image that browsers show. */
  contentType: string
  alternative: string
}

export interface ShopProduct {
  name: string
  /** In plain text; empty where it has none. */
  description: string
  /** Such as `$18.00 every month`; empty where it is not for sale. */
  price: string
  url: string
  picture: ShopPicture | null
}

/** What visitors of the site may learn of the shop. */
export interface ShopWindow {
  name: string
  description: string | null
  email: string | null
  url: string
  products: ShopProduct[]
  /** Other public pages of the shop: its blog and its legal pages. */
  links: { title: string; url: string }[]
}

export interface SiteFile {
  /** Such as `assets/style.css`, in the form that `pathProblem` accepts. */
  path: string
  bytes: Uint8Array
}

export interface BuildOrder {
  brief: SiteBrief
  shop: ShopWindow
  /** The model that writes it, and the most tokens that it may take; null where none is to be asked. */
  model: { models: Models; tokens: number } | null
  signal: AbortSignal
}

export interface BuiltSite extends ModelUse {
  files: SiteFile[]
  /** What its owner should know, such as a script from elsewhere that does not run. */
  notes: string[]
}

/** The site could not be built; each problem is a sentence that says what would be right. */
export class BuildFailedError extends Error {
  override name = 'BuildFailedError'
  readonly problems: string[]
  readonly use: ModelUse

  constructor(problems: string[], use: ModelUse = { inputTokens: 0, outputTokens: 0 }) {
    super(problems.join(' '))
    this.problems = problems
    this.use = use
  }
}

export interface SiteBuilder {
  readonly name: string
  instructionsFor(brief: SiteBrief): string
  /** How this service builds it by itself; null where the build task waits for an agent or a person. */
  readonly work: BuilderWork | null
}

export interface BuilderWork {
  /** `shortly`: in seconds; `long`: in minutes. */
  readonly lasts: 'shortly' | 'long'
  /** The most tokens that a model may take for one build; null where none is asked. */
  readonly tokens: number | null
  /** Only jobs build. Rejects with BuildFailedError, or when it was aborted. */
  build(order: BuildOrder): Promise<BuiltSite>
}

/** What an agent says of a build that it has completed; null for what it did not say. */
export interface BuildReport {
  url: string | null
  /** Where its code is, as owner/name. */
  repository: string | null
}

export interface SiteBuilders {
  /** Who builds a site of this brief for an account that has a model, or none. */
  find(brief: Pick<SiteBrief, 'prompt' | 'repository'>, has: { model: boolean }): SiteBuilder
  /** Reads the summary of a run that an agent has completed. */
  readReport(summary: string | null): BuildReport
}
