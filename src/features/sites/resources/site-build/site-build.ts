import { flag, integer, oneOf, text, texts } from '../../../../contract/declarations/kinds.ts'
import { exampleId, noun, type Row, readOnly } from '../../../../contract/declarations/noun.ts'

/** The maximum number of problems of one build, and the maximum length of a problem in characters. */
export const MOST_PROBLEMS = 20
export const LONGEST_PROBLEM = 500

export const SiteBuild = noun('site_build', {
  prefix: 'sitebuild',
  group: 'AiSites',
  area: 'content',
  description: 'One build of a site: its files, or the causes of its failure.',
  hidden: {
    store: text('Store that has the bytes of its files').nullable(),
    task_run: text('Run of the build task that it was made by'),
  },
  fields: readOnly({
    site: text('Id of the site', { example: exampleId('aisite') }),
    builder: text('Name of its builder', { max: 20, example: 'built_in' }),
    status: oneOf(
      ['building', 'complete', 'failed', 'removed'],
      'building: in progress; complete: its files can be served; failed: see problems; removed: complete earlier, its files are gone',
    ),
    problems: texts('Causes of its failure, or notes for the owner of the site', {
      max: MOST_PROBLEMS,
      each: LONGEST_PROBLEM,
      example: ['There is no index.html.'],
    }),
    files_count: integer('Number of files', { min: 0, example: 4 }),
    bytes: integer('Size of all files', { min: 0, unit: 'bytes', example: 48_213 }),
    is_current: flag('Whether the site shows it').derived(),
    can_be_brought_back: flag('Whether the site showed it before and can show it again').derived(),
  }),
})

export type SiteBuildRow = Row<typeof SiteBuild>
