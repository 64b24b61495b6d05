import { z } from 'zod'
import { flag, integer, oneOf, reference, structure, text } from '../../../../contract/declarations/kinds.ts'
import { exampleId, noun, type Row } from '../../../../contract/declarations/noun.ts'
import { REPOSITORY_NAME } from '../../../../contract/values/repository-name.ts'

const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/

const domainRecord = z.object({ type: z.literal('TXT'), name: z.string(), value: z.string() })

export const AiSite = noun('ai_site', {
  prefix: 'aisite',
  plural: 'sites',
  group: 'AiSites',
  area: 'content',
  description: 'A website built from a brief or from a repository.',
  gist: 'website',
  events: ['created', 'updated', 'deleted', 'site.live', 'site.failed'],
  eventDescriptions: { 'site.live': 'A site went live.', 'site.failed': 'Building a site failed.' },
  notInEvents: ['domain_record'],
  example: { domain: null, domain_record: null, github_repo_full_name: null, github_url: null, app_url: null },
  hidden: {
    /** Set once the domain is verified. The value is unique across sites and shops. */
    verified_domain: text('The verified domain').nullable(),
    domain_checks: integer('How often its domain began to be looked up').default(0),
    reported_url: text('Where an agent has put it').nullable(),
    creator: text('User who created it; empty where nobody did').default(''),
    current_build: text('The build whose files are served').nullable(),
    previous_build: text('The build that was served before, which can be brought back').nullable(),
  },
  fields: {
    prompt: text('Brief of the site; required unless a repository is given', {
      max: 10_000,
      example: 'A shop window for hand-made paper, calm and fast.',
    })
      .nullable('built from a repository')
      .createOnly(),
    github_repo_full_name: text('GitHub repository, as owner/name', {
      max: 140,
      pattern: REPOSITORY_NAME,
      says: 'must be owner/name as GitHub allows it, such as ada/paper-shop',
      example: 'ada/paper-shop',
    })
      .nullable('none')
      .createOnly()
      .writtenAs('repository'),
    name: text('Name. Default: the first words of the prompt, or the name of the repository', {
      max: 100,
      example: 'Paper shop',
    }),
    subdomain: text('Subdomain in its address, unique across all accounts. Default: made from the name', {
      min: 3,
      max: 63,
      pattern: /^[a-z0-9](-?[a-z0-9])*$/,
      says: 'must be lower-case letters and digits, separated by single hyphens',
      example: 'paper-shop',
    }).nullable('none'),
    domain: text('Your own domain', {
      max: 253,
      pattern: HOST,
      says: 'must be a domain in lower case, such as www.example.com',
      example: 'www.example.com',
    })
      .nullable('none')
      .updateOnly(),
    domain_verified: flag('Whether the domain has the DNS record that proves ownership').default(false).readOnly(),
    domain_record: structure('object', domainRecord, 'DNS record to add to the domain to prove ownership', {
      type: 'TXT',
      name: '_shopwright.www.example.com',
      value: 'shopwright-site=3n8p',
    })
      .nullable('no domain, or already verified')
      .derived(),
    access_mode: oneOf(
      ['public', 'account', 'admins_only', 'me_only'],
      'Allowed visitors. public: everyone; account: members of the account; admins_only: its owners and admins; me_only: its creator',
    ).default('public'),
    github_url: text('Address of the repository', { max: 2048, example: 'https://github.com/ada/paper-shop' })
      .nullable('no repository')
      .derived(),
    app_url: text(
      'Address of the site: below the domain of sites where this service serves it, otherwise as reported by its builder',
      {
        max: 2048,
        example: 'https://paper-shop.example',
      },
    )
      .nullable('not live, or not reported')
      .derived(),
    is_live: flag('Whether it can be visited; set by its builder').default(false).readOnly(),
    show_referral_badge: flag('Whether its pages mention this service', true).default(true),
    build_status: oneOf(
      ['queued', 'building', 'live', 'failed'],
      'Progress of its building; queued: nobody has claimed the run of its build task yet',
    )
      .default('queued')
      .readOnly(),
    build_task_id: text('Id of the task that builds it', { example: exampleId('aitask') })
      .nullable('no task builds it')
      .derived(),
    build_task: reference('task', 'Task that builds it, once per run', exampleId('aitask'))
      .nullable('the task was deleted')
      .readOnly()
      .expandable(),
  },
})

export type AiSiteRow = Row<typeof AiSite>
