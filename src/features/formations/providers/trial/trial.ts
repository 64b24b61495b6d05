import { createHash } from 'node:crypto'
import { html } from 'hono/html'
import type { FiledDocument, Filing, FilingAgent } from '../provider.ts'

type Html = ReturnType<typeof html>

interface FormedCompany {
  name: string
  ein: string
  today: string
}

/** The price of a formation in US cents. */
const USUAL_FEE = 29_900

const PRICE = { amount: USUAL_FEE, currency: 'usd' }

const TAKEN = /\btaken\b/i

/** Simulates a filing and marks its documents as samples. The filing fails if all requested names contain the word “taken”. */
export const trialAgent: FilingAgent = {
  priceOf: () => PRICE,

  async file({ key, filing, today }) {
    const chosen = filing.name_options.find(({ name }) => !TAKEN.test(name))
    if (!chosen)
      return { state: 'failed', message: 'None of the names is available. Start a formation with other names.' }
    const name = `${chosen.name} ${chosen.entity_type_ending}`
    const ein = einOf(key)
    return {
      state: 'completed',
      ein,
      filed_on: today,
      notes: [`Formed as ${name} by the built-in agent: a sample, filed with no authority.`],
      documents: documentsOf(filing, { name, ein, today }),
    }
  },
}

/** Returns an employer identification number that begins with 00, so that it cannot belong to a real company. */
function einOf(key: string): string {
  const digits = createHash('sha256').update(key).digest().readUInt32BE() % 10_000_000
  return `00-${String(digits).padStart(7, '0')}`
}

/** Returns the documents as printable pages. The same filing always gives the same bytes. */
function documentsOf(filing: Filing, formed: FormedCompany): FiledDocument[] {
  return [
    paper('articles_of_organization', 'articles-of-organization.html', formed, articles(filing, formed)),
    paper('operating_agreement', 'operating-agreement.html', formed, agreement(filing, formed)),
    paper('ein_letter', 'ein-letter.html', formed, einLetter(filing, formed)),
  ]
}

function paper(
  document_type: FiledDocument['document_type'],
  name: string,
  formed: FormedCompany,
  { title, body }: { title: string; body: Html },
): FiledDocument {
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} of ${formed.name}</title>
<style>body{font:12pt/1.5 Georgia,serif;max-width:40em;margin:3em auto;padding:0 1em}.sample{border:2px solid;padding:.5em 1em;font-weight:bold}</style>
</head>
<body>
<p class="sample">Sample. Made by the built-in filing agent and filed with no authority.</p>
<h1>${title}</h1>
${body}
<p>${formed.today}</p>
</body>
</html>
`
  return { document_type, name, content_type: 'text/html; charset=utf-8', content: Buffer.from(String(text)) }
}

function articles({ state, naics_code, description, mailing_address, members }: Filing, { name }: FormedCompany) {
  const body = html`<p>State: ${state}</p>
<ol>
<li>The name of the company is ${name}.</li>
<li>Its business is: ${description} (NAICS ${naics_code}).</li>
<li>Its mailing address is ${addressLine(mailing_address)}.</li>
<li>Its members are ${members.map(memberName).join(', ')}.</li>
</ol>`
  return { title: 'Articles of Organization', body }
}

function agreement({ members }: Filing, { name }: FormedCompany) {
  const shares = members.map((one) => html`<li>${memberName(one)}: ${one.ownership_percent} %</li>\n`)
  const body = html`<p>The members of ${name} own it in these parts:</p>
<ul>
${shares}</ul>
<p>They share profits, losses and votes in the same parts.</p>`
  return { title: 'Operating Agreement', body }
}

function einLetter({ responsible_party: party, mailing_address }: Filing, { name, ein }: FormedCompany) {
  const body = html`<p>${name}<br>${addressLine(mailing_address)}</p>
<p>The employer identification number of ${name} is <strong>${ein}</strong>. Its responsible party is
${party.legal_first_name} ${party.legal_last_name}.</p>`
  return { title: 'Notice of Employer Identification Number', body }
}

function memberName({ legal_first_name, legal_last_name }: Filing['members'][number]): string {
  return `${legal_first_name} ${legal_last_name}`
}

function addressLine({ line1, line2, city, state, postal_code, country }: Filing['mailing_address']): string {
  return [line1, line2, city, `${state} ${postal_code}`, country].filter(Boolean).join(', ')
}
