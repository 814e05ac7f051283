//! Files of safetensors (<https://huggingface.co/docs/safetensors>): the same names and shapes,
//! with the metadata as text. Shapes are written there with the outermost size first.

use super::{Container, ContainerError, Tensor, TensorType, Value};
use ::safetensors::{Dtype, SafeTensors};
use std::borrow::Cow;

/// Reads a file.
///
/// # Errors
/// [`ContainerError`] when it is damaged.
pub fn read(bytes: &[u8]) -> Result<Container<'_>, ContainerError> {
    let fault =
        |error: ::safetensors::SafeTensorError| ContainerError::Safetensors(error.to_string());
    let (_, header) = SafeTensors::read_metadata(bytes).map_err(fault)?;
    let file = SafeTensors::deserialize(bytes).map_err(fault)?;
    let metadata = header
        .metadata()
        .iter()
        .flatten()
        .map(|(key, text)| (key.clone(), Value::Text(text.clone())))
        .collect();
    let tensors = file
        .iter()
        .map(|(name, view)| {
            let kind = match view.dtype() {
                Dtype::F32 => TensorType::F32,
                Dtype::F16 => TensorType::F16,
                Dtype::I8 | Dtype::U8 => TensorType::I8,
                _ => TensorType::Other(u32::MAX),
            };
            let shape = view.shape().iter().rev().map(|&size| size as u64).collect();
            (name.to_owned(), Tensor { kind, shape, bytes: Cow::Borrowed(view.data()) })
        })
        .collect();
    Ok(Container { metadata, tensors })
}

/// The file with this container.
///
/// # Errors
/// [`ContainerError`] for tensors of a type that these files do not have.
pub fn write(container: &Container<'_>) -> Result<Vec<u8>, ContainerError> {
    let fault =
        |error: ::safetensors::SafeTensorError| ContainerError::Safetensors(error.to_string());
    let mut views = Vec::new();
    for (name, tensor) in &container.tensors {
        let dtype = match tensor.kind {
            TensorType::F32 => Dtype::F32,
            TensorType::F16 => Dtype::F16,
            TensorType::I8 => Dtype::I8,
            kind @ TensorType::Other(_) => {
                return Err(ContainerError::Safetensors(format!("no place for {kind}")));
            }
        };
        let shape = tensor.shape.iter().rev().map(|&size| size as usize).collect();
        let view = ::safetensors::tensor::TensorView::new(dtype, shape, &tensor.bytes);
        views.push((name.as_str(), view.map_err(fault)?));
    }
    let text = |value: &Value| match value {
        Value::Text(text) => text.clone(),
        value => value.to_string(),
    };
    let metadata =
        container.metadata.iter().map(|(key, value)| (key.clone(), text(value))).collect();
    ::safetensors::serialize(views, Some(metadata)).map_err(fault)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiyo_fuzz::damaged;

    fn sample() -> Container<'static> {
        let tensor = Tensor {
            kind: TensorType::I8,
            shape: vec![3, 2],
            bytes: Cow::Borrowed(&[1, 2, 3, 4, 5, 6]),
        };
        Container {
            metadata: [("key".to_owned(), Value::Text("text".to_owned()))].into(),
            tensors: [("a.weight".to_owned(), tensor)].into(),
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = write(&sample()).expect("known types");
        assert_eq!(Container::read(&bytes), Ok(sample()));
    }

    #[test]
    fn any_damaged_file_is_refused_or_read() {
        let good = write(&sample()).expect("known types");
        damaged(256, &good, |bytes| drop(read(bytes)));
    }
}
