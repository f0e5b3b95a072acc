//! Where a server of skills listens.

use crate::error::Error;
use crate::json::{Object, ToJson};
use crate::options::{self, Fields, FromFields};

/// Addresses that are all of this machine's, so none that anybody asks for.
const ALL_ADDRESSES: [&str; 2] = ["0.0.0.0", "::"];

/// Where a server listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListenOptions {
    /// The address; that of this machine alone, unless another one is given.
    pub host: String,
    /// 0 is any that is free.
    pub port: u32,
    /// The path of its URL.
    pub path: String,
}

impl ListenOptions {
    /// Reads them from JSON text.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`], which names the option that cannot be used.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::read(json)
    }

    /// The address as URLs have it.
    fn name(&self) -> String {
        let host = self.host.to_ascii_lowercase();
        if host.contains(':') {
            ["[", &host, "]"].concat()
        } else {
            host
        }
    }
}

impl FromFields for ListenOptions {
    fn from_fields(fields: &Fields<'_>) -> Self {
        let port = fields.number("port", 0);
        if port > 65_535 {
            fields.refuse("port", "must be at most 65535");
        }
        let path = fields.text("path").unwrap_or_else(|| "/mcp".to_owned());
        if !path.starts_with('/') || path.contains(['?', '#']) {
            fields.refuse("path", "must begin with a slash, and have no ? and no #");
        }
        let host = fields.text("host");
        let host = host.unwrap_or_else(|| "127.0.0.1".to_owned());
        if host.is_empty() {
            fields.refuse("host", "must not be empty");
        }
        Self { host, port, path }
    }
}

impl ToJson for ListenOptions {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("host", &self.host)
            .field("name", &self.name())
            .field("isWildcard", &ALL_ADDRESSES.contains(&self.host.as_str()))
            .field("port", &self.port)
            .field("path", &self.path)
            .end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_has_its_default() {
        let listen = ListenOptions::from_json("{}").expect("nothing is wrong");
        assert_eq!(
            listen.to_json(),
            r#"{"host":"127.0.0.1","name":"127.0.0.1","isWildcard":false,"port":0,"path":"/mcp"}"#
        );
        for (host, name, is_wildcard) in [("FE80::1", "[fe80::1]", false), ("::", "[::]", true)] {
            let listen = ListenOptions::from_json(&format!(r#"{{"host":"{host}"}}"#));
            let listen = listen.expect("nothing is wrong").to_json();
            let expected = format!(r#""name":"{name}","isWildcard":{is_wildcard}"#);
            assert!(listen.contains(&expected), "{listen}");
        }
    }

    #[test]
    fn what_cannot_be_used_is_named() {
        for (json, problem) in [
            (r#"{"host":""}"#, "host must not be empty"),
            (r#"{"port":65536}"#, "port must be at most 65535"),
            (
                r#"{"path":"mcp"}"#,
                "path must begin with a slash, and have no ? and no #",
            ),
        ] {
            let error = ListenOptions::from_json(json).expect_err(json);
            assert!(error.to_string().contains(problem), "{error}");
        }
    }
}
