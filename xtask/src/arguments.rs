//! What can be said on the command line.

use std::path::PathBuf;
use std::str::FromStr as _;

use anyhow::{Context, Result, bail};

use crate::demo::Demo;
use crate::differential::Differential;
use crate::test::Part;
use crate::toolchain::Choice;

pub(crate) const USAGE: &str = "\
cargo xtask [--wasm-toolchain auto|rustup|debian] COMMAND

  build                    the npm package, in pkg/
  pack                     build, and the tarball that would be published
  docs                     the reference of the package, in target/reference/
  test [PART…]             everything, or some of: lint, rust, js, wasm, browser, runtimes,
                           adapters, playground, supply
  demo [--skills PATH] [--talk] [ARGUMENT…]
                           an agent with the packed package, on a folder or .tar.gz of skills
  playground [--port N]    the page on which skills are tried, built and served on loopback
  bench [ARGUMENT…]        the packed package measured against others
  size                     what each part of the library takes of the module
  differential [--mutations N] [--seed N] [--json]
                           our reading of YAML against two other implementations

The arguments of demo and bench go to `skillshelf chat` and benches/run.mjs. `--help` after a command
prints its arguments, without building anything.
The environment variable WASM_TOOLCHAIN says the same as --wasm-toolchain.";

pub(crate) struct Arguments {
    pub(crate) toolchain: Choice,
    pub(crate) command: Command,
}

/// What help is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Topic {
    Everything,
    /// The command whose arguments are those of a program that tells them itself.
    Bench,
    /// A command whose arguments are told here.
    Command(&'static str),
}

const BUILD: &str = "\
cargo xtask build [--wasm-toolchain auto|rustup|debian]

Makes the npm package in pkg/ and prints the size of the module.";

const PACK: &str = "\
cargo xtask pack [--wasm-toolchain auto|rustup|debian]

Builds, and makes the tarball that would be published, in target/tarball/.";

const DOCS: &str = "\
cargo xtask docs [--wasm-toolchain auto|rustup|debian]

Builds, and writes the reference of all entry points in target/reference/.";

const SIZE: &str = "\
cargo xtask size [--wasm-toolchain auto|rustup|debian]

Builds the small module with the names of its functions, and prints how many bytes of it each part of
the library takes.";

const PLAYGROUND: &str = "\
cargo xtask playground [--port N] [--wasm-toolchain auto|rustup|debian]

Builds the page of examples/playground with the packed package, and serves it on loopback until
Ctrl+C: on port 4747, a free one where that is taken, or on the one that is named (0 is any).";

const TEST: &str = "\
cargo xtask test [PART…] [--wasm-toolchain auto|rustup|debian]

Every check and test, or only those of some parts:

  lint       formatting, clippy, biome, and what the documentation's own tools warn of
  rust       the core, natively
  js         the packed and installed package, in Node.js
  wasm       the core compiled to WebAssembly, in Node.js
  browser    that and the package, in Chromium
  runtimes   the package in every runtime, and through every bundler; with UPDATE_GOLDEN=1 in the
             environment, what they answer becomes what is expected
  adapters   the adapters, each with the SDK that it is for and a server of the tests
  playground the page of examples/playground, in Chromium and Firefox, as a person uses it; with
             UPDATE_SCREENSHOTS=1 in the environment, the pictures of README.md are made instead
  supply     licenses and sources of what the package is made of, and whether a second build
             elsewhere has the same bytes; only where it is named, since it takes long";

const DIFFERENTIAL: &str = "\
cargo xtask differential [--mutations N] [--seed N] [--json]

Reads front matter with changes (1,000,000 where nobody says how many, the same ones each time) by this
crate and by two other implementations of YAML. A difference of a kind that docs/yaml.md does not
explain fails. With the corpus, where it is: SKILLSHELF_CORPUS, or ../shared/corpus.

  --mutations N   so many changes
  --seed N        other changes than those of seed 0
  --json          the numbers as one line of JSON";

const DEMO: &str = "\
cargo xtask demo [--skills PATH] [--talk] [ARGUMENT…] [--wasm-toolchain auto|rustup|debian]

Builds, packs, installs the package in a fresh folder, and runs `skillshelf chat` there: it is told a
few lines, which are shown, and answers by a script that needs no key, or with ANTHROPIC_API_KEY or
OPENAI_API_KEY set by that provider's model.

  --skills PATH   a folder of skills, or a .tar.gz of one, in the place of examples/skills
  --talk          you talk to it, in your terminal
  ARGUMENT…       of `skillshelf chat`, such as --scripted, --model NAME or --json";

pub(crate) enum Command {
    /// What can be said here, or to a program.
    Help(Topic),
    Build,
    Pack,
    Docs,
    Size,
    Test(Vec<Part>),
    Demo(Demo),
    Playground {
        port: Option<u16>,
    },
    Bench(Vec<String>),
    Differential(Differential),
}

impl Arguments {
    pub(crate) fn parse(words: impl Iterator<Item = String>) -> Result<Self> {
        let mut words: Vec<String> = words.collect();
        let asked = take_option(&mut words, "--wasm-toolchain")?
            .or_else(|| std::env::var("WASM_TOOLCHAIN").ok());
        let toolchain = asked.map_or(Ok(Choice::Auto), |text| Choice::from_str(&text))?;
        Ok(Self {
            toolchain,
            command: command(words)?,
        })
    }
}

fn command(mut words: Vec<String>) -> Result<Command> {
    if words.is_empty() {
        return Ok(Command::Help(Topic::Everything));
    }
    let name = words.remove(0);
    if is_help(&name) || words.iter().any(|word| is_help(word)) {
        return Ok(Command::Help(match name.as_str() {
            "demo" => Topic::Command(DEMO),
            "bench" => Topic::Bench,
            "differential" => Topic::Command(DIFFERENTIAL),
            "build" => Topic::Command(BUILD),
            "pack" => Topic::Command(PACK),
            "docs" => Topic::Command(DOCS),
            "size" => Topic::Command(SIZE),
            "test" => Topic::Command(TEST),
            "playground" => Topic::Command(PLAYGROUND),
            _ => Topic::Everything,
        }));
    }
    let command = match name.as_str() {
        "demo" => {
            let skills = take_option(&mut words, "--skills")?.map(PathBuf::from);
            let given = words.len();
            words.retain(|word| word != "--talk");
            return Ok(Command::Demo(Demo {
                skills,
                is_talk: words.len() < given,
                rest: words,
            }));
        }
        "bench" => return Ok(Command::Bench(words)),
        "test" => {
            let parts = words
                .iter()
                .map(|word| Part::from_str(word))
                .collect::<Result<_>>()?;
            return Ok(Command::Test(parts));
        }
        "playground" => Command::Playground {
            port: take_option(&mut words, "--port")?
                .map(|text| text.parse())
                .transpose()
                .context("`--port` takes a number from 0 to 65535")?,
        },
        "differential" => {
            let mutations = take_option(&mut words, "--mutations")?
                .map(|text| text.parse())
                .transpose()
                .context("`--mutations` takes a number")?
                .unwrap_or(Differential::MUTATIONS);
            let seed = take_option(&mut words, "--seed")?
                .map(|text| text.parse())
                .transpose()
                .context("`--seed` takes a number below 2^32")?
                .unwrap_or_default();
            let given = words.len();
            words.retain(|word| word != "--json");
            let json = words.len() < given;
            Command::Differential(Differential {
                mutations,
                seed,
                json,
            })
        }
        "build" => Command::Build,
        "pack" => Command::Pack,
        "docs" => Command::Docs,
        "size" => Command::Size,
        _ => bail!("there is no command `{name}`\n\n{USAGE}"),
    };
    match words.first() {
        Some(word) => bail!("`{name}` takes no argument `{word}`\n\n{USAGE}"),
        None => Ok(command),
    }
}

fn is_help(word: &str) -> bool {
    matches!(word, "help" | "--help" | "-h")
}

/// Takes `--name value` or `--name=value` out of the words.
fn take_option(words: &mut Vec<String>, name: &str) -> Result<Option<String>> {
    let joined = format!("{name}=");
    let Some(at) = words
        .iter()
        .position(|word| word == name || word.starts_with(&joined))
    else {
        return Ok(None);
    };
    let word = words.remove(at);
    if let Some(value) = word.strip_prefix(&joined) {
        return Ok(Some(value.to_owned()));
    }
    if at < words.len() {
        return Ok(Some(words.remove(at)));
    }
    None.with_context(|| format!("`{name}` needs a value\n\n{USAGE}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &str) -> Result<Arguments> {
        Arguments::parse(words.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn demo_keeps_what_is_not_its_own() -> Result<()> {
        for (words, skills, is_talk, rest) in [
            ("demo", None, false, &[][..]),
            (
                "demo --model m --skills some/folder --talk last",
                Some(PathBuf::from("some/folder")),
                true,
                &["--model", "m", "last"][..],
            ),
        ] {
            let Command::Demo(demo) = parse(words)?.command else {
                bail!("not the demo")
            };
            let rest = rest.iter().map(ToString::to_string).collect();
            let expected = Demo {
                skills,
                is_talk,
                rest,
            };
            assert_eq!(demo, expected);
        }
        Ok(())
    }

    #[test]
    fn the_toolchain_is_chosen_before_or_after_the_command() -> Result<()> {
        assert!(parse("--wasm-toolchain debian build")?.toolchain == Choice::Debian);
        assert!(parse("build --wasm-toolchain=rustup")?.toolchain == Choice::Rustup);
        Ok(())
    }

    #[test]
    fn help_comes_before_anything_else() -> Result<()> {
        for (words, expected) in [
            ("", Topic::Everything),
            ("--help", Topic::Everything),
            ("help", Topic::Everything),
            ("build -h", Topic::Command(BUILD)),
            ("pack --help", Topic::Command(PACK)),
            ("docs --help", Topic::Command(DOCS)),
            ("test js --help", Topic::Command(TEST)),
            ("demo --help", Topic::Command(DEMO)),
            ("demo --skills some/folder -h", Topic::Command(DEMO)),
            ("bench --quick --help", Topic::Bench),
            ("playground --help", Topic::Command(PLAYGROUND)),
        ] {
            let Command::Help(of) = parse(words)?.command else {
                bail!("`{words}` is not a call for help")
            };
            assert_eq!(of, expected, "{words}");
        }
        Ok(())
    }

    #[test]
    fn what_is_unknown_is_named() {
        for (words, named) in [
            ("biuld", "`biuld`"),
            ("build all", "`all`"),
            ("test everything", "`everything`"),
            ("build --wasm-toolchain gcc", "`gcc`"),
            ("demo --skills", "`--skills` needs a value"),
            ("playground --port many", "`--port` takes a number"),
            ("playground now", "`now`"),
        ] {
            let message = parse(words)
                .err()
                .map(|error| error.to_string())
                .unwrap_or_default();
            assert!(message.contains(named), "{words}: {message}");
        }
    }
}
