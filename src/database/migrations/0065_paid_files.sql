-- Files that an experience has had: only of these is it asked whether they are for buyers alone.
alter table files add column in_experience integer not null default 0;

update files set in_experience = 1
where exists (
  select 1 from experiences
  where experiences.account_id = files.account_id
    and (
      experiences.content like '%"' || files.id || '"%'
      or (coalesce(files.detected_type, '') not like 'image/%' and experiences.content like '%/files/' || files.id || '/%')
    )
);
