import { readFileSync } from 'node:fs'
import { withoutMarker } from '../../../../contract/values/agent-marker.ts'
import { picturesOf } from '../pictures.ts'
import type { BuildOrder, BuiltSite, SiteBrief, SiteBuilder, SiteFile } from '../provider.ts'
import { homePage, missingPage } from './page.ts'
import { iconOf, themeOf, themeSheet } from './theme.ts'
import { wordsOf } from './words.ts'

const STYLE = readFileSync(new URL('./style.css', import.meta.url), 'utf8')

/** Builds one page from the brief, the shop and its products, without external services. The same order gives the same files. */
export const builtInBuilder: SiteBuilder = {
  name: 'built_in',

  instructionsFor({ id, name, prompt }: SiteBrief): string {
    return [
      `This service builds the website “${name}” (${id}) by itself, from the shop, its products and its owner’s brief:`,
      withoutMarker(prompt ?? ''),
      'Make this task active to build it again, for example after products have changed.',
    ].join('\n\n')
  },

  work: { lasts: 'shortly', tokens: null, build },
}

async function build(order: BuildOrder): Promise<BuiltSite> {
  const { brief, shop } = order
  const words = wordsOf(order)
  const theme = themeOf(`${brief.prompt ?? ''} ${brief.name} ${shop.description ?? ''}`, brief.name)
  const pictures = picturesOf(shop.products)
  const parts = { words, shop, pictures }
  const files: SiteFile[] = [
    textFile('index.html', String(await homePage(parts))),
    textFile('404.html', String(await missingPage(parts))),
    textFile('assets/style.css', themeSheet(theme) + STYLE),
    textFile('assets/icon.svg', iconOf(words.title, theme)),
    ...pictures.files,
  ]
  return { files, notes: [], inputTokens: 0, outputTokens: 0 }
}

function textFile(path: string, text: string): SiteFile {
  return { path, bytes: Buffer.from(text) }
}
