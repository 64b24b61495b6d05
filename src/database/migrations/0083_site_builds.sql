-- Sites that this service builds and serves. Every build has its own files; a site shows those of one build.
create table site_builds (
  account_id text not null,
  id text not null,
  site text not null,
  task_run text not null,
  builder text not null,
  status text not null,
  problems text not null,
  files_count integer not null,
  bytes integer not null,
  store text,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
create index site_builds_of_site on site_builds (account_id, site, id);
create index site_builds_of_run on site_builds (account_id, task_run);

create table site_files (
  account_id text not null,
  build text not null,
  path text not null,
  id text not null,
  content_type text not null,
  size integer not null,
  sha256 text not null,
  primary key (account_id, build, path)
);

-- What an agent says of where it has put a site. The address of a site that is served here follows from its subdomain.
alter table sites rename column app_url to reported_url;
alter table sites add column creator text not null default '';
alter table sites add column current_build text;
alter table sites add column previous_build text;
