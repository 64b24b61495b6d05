-- Where the bytes of a file are served follows from its id and the service's secret.
alter table files drop column file_url;
alter table files add column provider text;
alter table files add column checksum text;
alter table files add column source_job_id text;
alter table files add column error_message text;
alter table files add column declared_type text;
alter table files add column declared_size bigint;
alter table files add column detected_type text;
alter table files add column store text;
alter table files add column stored_bytes bigint not null default 0;
alter table files add column upload_expires_at text;
alter table files add column expire_job text;

-- Bytes are uploaded and served by addresses that name no account.
create index files_by_id on files (id);
