import type { Models, ModelUse } from '../../../providers/models/provider.ts'

export interface SiteBrief {
  id: string
  name: string
  /** The owner's text; null if the brief consists of a repository only. */
  prompt: string | null
  /** The repository for the site's code, as owner/name; null if the builder may choose one. */
  repository: string | null
  subdomain: string | null
}

export interface ShopPicture {
  bytes: Uint8Array
  /** An image type that browsers display. */
  contentType: string
  alternative: string
}

export interface ShopProduct {
  name: string
  /** The description in plain text; empty if there is none. */
  description: string
  /** The price, such as `$18.00 every month`; empty if the product is not for sale. */
  price: string
  url: string
  picture: ShopPicture | null
}

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
  /** The path in the site, such as `assets/style.css`, which `pathProblem` accepts. */
  path: string
  bytes: Uint8Array
}

export interface BuildOrder {
  brief: SiteBrief
  shop: ShopWindow
  /** The model that writes the site, with the maximum number of tokens; null if no model may be used. */
  model: { models: Models; tokens: number } | null
  signal: AbortSignal
}

export interface BuiltSite extends ModelUse {
  files: SiteFile[]
  /** Notes for the owner, for example about a foreign script that does not run. */
  notes: string[]
}

/** Each problem is a sentence that says how to correct it. */
export class BuildFailedError extends Error {
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
  /** Builds the site within this service; null if the build task waits for an agent or a person. */
  readonly work: BuilderWork | null
}

export interface BuilderWork {
  /** The usual duration of a build: `shortly` means seconds, `long` means minutes. */
  readonly lasts: 'shortly' | 'long'
  /** The maximum number of tokens of a model for one build; null if it uses no model. */
  readonly tokens: number | null
  /** Called only by jobs. Rejects with BuildFailedError, or when the signal aborts the build. */
  build(order: BuildOrder): Promise<BuiltSite>
}

/** An agent's report about a completed build; missing values are null. */
export interface BuildReport {
  url: string | null
  repository: string | null
}

export interface SiteBuilders {
  /** Returns the builder for a brief. `model` says whether the account may use a model. */
  find(brief: Pick<SiteBrief, 'prompt' | 'repository'>, has: { model: boolean }): SiteBuilder
  readReport(summary: string | null): BuildReport
}

export interface SiteServices {
  /** Builds sites; an operation may choose a builder, but only jobs may start a build. */
  builders: SiteBuilders
  /** The domain under which sites are served; null if none are. */
  sitesDomain: string | null
}
