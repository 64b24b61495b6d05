-- What a picture shows, for people who cannot see it.
alter table files add column alternative_text text;
