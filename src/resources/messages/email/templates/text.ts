import { isolated } from '../../../../format/direction.ts'
import { type Fact, type Letter, type Line, type Part, PURCHASES, reach, type Shop } from './letter.ts'

export function letterText({ heading, parts }: Letter, shop: Shop): string {
  const blocks = [shop.name, heading, ...parts.map(partText), `Questions? Please ${reach(shop)}.`, ...footer(shop)]
  return `${blocks.join('\n\n')}\n`
}

function footer({ purchasesUrl, stopUrl }: Shop): string[] {
  return [
    ...(purchasesUrl ? [`${PURCHASES}: ${purchasesUrl}`] : []),
    ...(stopUrl ? [`Stop e-mails like this: ${stopUrl}`] : []),
  ]
}

function partText(part: Part): string {
  switch (part.kind) {
    case 'words':
      return part.words
    case 'facts':
      return part.rows.map(factText).join('\n')
    case 'lines':
      return [...part.rows.map(lineText), ...part.totals.map(factText)].join('\n')
    case 'link':
      return `${part.label}: ${part.url}`
  }
}

function factText({ label, value }: Fact): string {
  return `${isolated(label)}: ${isolated(value)}`
}

function lineText({ name, detail, value }: Line): string {
  return `${isolated(name)}${detail === null ? '' : ` (${detail})`}: ${value}`
}
